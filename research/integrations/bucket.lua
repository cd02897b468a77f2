-- Token buckets of one caller, changed by this script alone, so that of many at once none takes what is not there.
--
-- KEYS: when each bucket will be full again, in milliseconds of the server's clock.
-- ARGV: for each bucket how many it holds and in how many milliseconds it fills. One token is taken of each, or none of
-- any. Answer: for each bucket what is left, milliseconds until it is full, milliseconds until there is a token.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local full_at, step, span, is_there = {}, {}, {}, true
for n, key in ipairs(KEYS) do
    step[n] = tonumber(ARGV[2 * n]) / tonumber(ARGV[2 * n - 1])
    span[n] = tonumber(ARGV[2 * n])
    full_at[n] = math.max(now, tonumber(redis.call('GET', key) or '') or now)
    if full_at[n] + step[n] - now > span[n] + 1 then is_there = false end -- 1 ms: what rounding loses
end
local answer = {}
for n, key in ipairs(KEYS) do
    local wait = full_at[n] + step[n] - now - span[n]
    if wait <= 1 then wait = 0 end
    if is_there then
        full_at[n] = full_at[n] + step[n]
        redis.call('SET', key, string.format('%.0f', full_at[n]), 'PX', math.ceil(full_at[n] - now))
    end
    table.insert(answer, math.floor((span[n] + 1 - (full_at[n] - now)) / step[n]))
    table.insert(answer, math.ceil(full_at[n] - now))
    table.insert(answer, math.ceil(wait))
end
return answer

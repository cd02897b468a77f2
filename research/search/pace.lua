-- The line of one search service: its state is changed by this script alone, so that each change is atomic.
--
-- KEYS: when the line will be empty, in milliseconds of the server's clock.
-- ARGV: milliseconds from one request to the next, the head start that a rested line has, how long one would wait,
-- how long nobody asks (0: a place is wanted). Answer: milliseconds to wait; below zero: as long, and no place taken.
local interval, head_start = tonumber(ARGV[1]), tonumber(ARGV[2])
local patience, pause = tonumber(ARGV[3]), tonumber(ARGV[4])
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local empty_at = math.max(now, tonumber(redis.call('GET', KEYS[1]) or '') or now)

local function keep(at)
    if at > now then redis.call('SET', KEYS[1], string.format('%.0f', at), 'PX', string.format('%.0f', at - now)) end
end

if pause > 0 then
    keep(math.max(empty_at, now + pause + head_start))
    return 0
end
local wait = math.ceil(math.max(0, empty_at - head_start - now))
if wait > patience then return -wait end
keep(empty_at + interval)
return wait

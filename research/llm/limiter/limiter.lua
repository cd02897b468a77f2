-- The limiter of one provider. Only this script changes its state, so that each change is atomic.
--
-- KEYS: seats (ticket -> time granted), queue (ticket -> time joined), alive (process -> expiry), bucket (tokens,
-- time filled), pause (end). Times are the server's, in milliseconds. A process without a heartbeat for LIFE loses
-- its seats and its positions in the queue, so that a killed one frees them.
--
-- ARGV: process, calls at once, calls a minute, then any number of operations, each with one argument:
--   join TICKET, leave TICKET, pause MILLISECONDS
--   seated TICKET, waiting TICKET: the process's own state, in case the server lost it
-- Returns the milliseconds until time alone frees a slot (-1: never), then the process's tickets that got a seat.
-- Other processes are notified through a list that each of them blocks on.
local seats, queue, alive, bucket, pause = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local process, at_once, a_minute = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local LIFE, KEPT = 9000, 3600 -- milliseconds without a heartbeat; seconds that unused keys are kept

local function run_of(ticket) return string.match(ticket, '^([^|]*)|') end
local function process_of(ticket) return string.match(ticket, '^[^|]*|([^|]*)|') end

local function bury_the_dead()
    if redis.call('ZREMRANGEBYSCORE', alive, '-inf', now) == 0 then return end
    for _, key in ipairs({seats, queue}) do
        for _, ticket in ipairs(redis.call('ZRANGE', key, 0, -1)) do
            if not redis.call('ZSCORE', alive, process_of(ticket)) then redis.call('ZREM', key, ticket) end
        end
    end
end

local function tokens_now()
    local kept = redis.call('HMGET', bucket, 'tokens', 'at')
    if not kept[1] then return a_minute end
    return math.min(a_minute, tonumber(kept[1]) + math.max(0, now - tonumber(kept[2])) * a_minute / 60000)
end

local function in_flight()
    local counts = {}
    for _, ticket in ipairs(redis.call('ZRANGE', seats, 0, -1)) do
        local run = run_of(ticket)
        counts[run] = (counts[run] or 0) + 1
    end
    return counts
end

local function lines_by_run()
    local lines, order = {}, {}
    for _, ticket in ipairs(redis.call('ZRANGE', queue, 0, -1)) do
        local run = run_of(ticket)
        if not lines[run] then
            lines[run] = {first = 1, tickets = {}}
            order[#order + 1] = run
        end
        table.insert(lines[run].tickets, ticket)
    end
    return lines, order
end

-- Returns a ticket of the waiting run with the fewest calls in flight; of equals, the one that waits longest.
local function next_ticket(lines, order, counts)
    local best
    for _, run in ipairs(order) do
        local line = lines[run]
        if line.tickets[line.first] and (not best or (counts[run] or 0) < (counts[best] or 0)) then
            best = run
        end
    end
    if not best then return nil end
    local line = lines[best]
    line.first = line.first + 1
    return line.tickets[line.first - 1], best
end

local function grant()
    local waiting = redis.call('ZCARD', queue)
    if waiting == 0 then return {-1} end
    local paused = tonumber(redis.call('GET', pause) or 0) - now
    if paused > 0 then return {paused} end
    local tokens, taken = tokens_now(), redis.call('ZCARD', seats)
    local room = math.min(at_once - taken, math.floor(tokens), waiting)
    local own = {0}
    if room > 0 then
        local lines, order = lines_by_run()
        local counts = in_flight()
        for _ = 1, room do
            local ticket, run = next_ticket(lines, order, counts)
            counts[run] = (counts[run] or 0) + 1
            redis.call('ZREM', queue, ticket)
            redis.call('ZADD', seats, now, ticket)
            local owner = process_of(ticket)
            if owner == process then
                own[#own + 1] = ticket
            else
                local mail = seats .. ':mail:' .. owner
                redis.call('RPUSH', mail, ticket)
                redis.call('PEXPIRE', mail, LIFE)
            end
        end
        tokens = tokens - room
        redis.call('HSET', bucket, 'tokens', tostring(tokens), 'at', tostring(now))
        redis.call('EXPIRE', bucket, KEPT)
    end
    own[1] = -1
    if waiting > room and tokens < 1 then own[1] = math.ceil((1 - tokens) * 60000 / a_minute) end
    return own
end

redis.call('ZADD', alive, now + LIFE, process)
bury_the_dead()
local seated = {}
for index = 4, #ARGV, 2 do
    local operation, word = ARGV[index], ARGV[index + 1]
    if operation == 'join' then
        redis.call('ZADD', queue, 'NX', now, word)
    elseif operation == 'leave' then
        redis.call('ZREM', seats, word)
        redis.call('ZREM', queue, word)
    elseif operation == 'pause' then
        local ends = now + tonumber(word)
        if ends > tonumber(redis.call('GET', pause) or 0) then
            redis.call('SET', pause, tostring(ends), 'PX', tonumber(word) + 1000)
        end
    elseif operation == 'seated' then
        redis.call('ZADD', seats, 'NX', now, word)
    elseif redis.call('ZSCORE', seats, word) then
        seated[#seated + 1] = word
    else
        redis.call('ZADD', queue, 'NX', now, word)
    end
end
local answer = grant()
for _, ticket in ipairs(seated) do answer[#answer + 1] = ticket end
redis.call('EXPIRE', seats, KEPT)
redis.call('EXPIRE', queue, KEPT)
redis.call('EXPIRE', alive, KEPT)
return answer

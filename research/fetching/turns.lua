-- Turns at web sites for all processes: a site has one holder, and a time before which no request begins.
--
-- KEYS: 1: the prefix of the mailboxes' names; then two for each operation: the site's state (holder, until, began,
-- next) and its queue (ticket -> time joined). ARGV: milliseconds between two requests, the longest wait for a site
-- in milliseconds, then three for each operation: its name, a ticket ("process|number"), a number. Times are the
-- server's, in milliseconds.
--   enter: join the queue. leave: release the turn, or the position in the queue
--   again: begin another request within the turn; the next one begins at least the number later
--   slower: the same for the request that has begun. pause: no request begins for this long
--   holds, waits: the process's own state, sent regularly as a heartbeat and in case the server lost it
-- Returns pairs of a ticket and milliseconds to wait, for this process's tickets that may begin. A negative number is
-- a pause longer than the longest wait; the ticket has then left the queue. Other processes get theirs by mailbox.
local gap, longest = tonumber(ARGV[1]), tonumber(ARGV[2])
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local LIFE, KEPT = 9000, 3600000 -- milliseconds without a heartbeat; that an unused queue is kept
local answer = {}

local function number(site, name) return tonumber(redis.call('HGET', site, name) or 0) end
local function owner(ticket) return string.match(ticket, '^([^|]*)|') end

local function note(site, ...)
    redis.call('HSET', site, ...)
    redis.call('PEXPIRE', site, math.max(LIFE, number(site, 'next') - now) + 60000)
end

local function tell(ticket, wait, asker)
    if owner(ticket) == asker then
        answer[#answer + 1] = ticket
        answer[#answer + 1] = wait
    else
        local mailbox = KEYS[1] .. owner(ticket)
        redis.call('RPUSH', mailbox, ticket .. ' ' .. wait)
        redis.call('PEXPIRE', mailbox, LIFE)
    end
end

local function begin(site, least)
    local start = math.max(now, number(site, 'next'))
    note(site, 'began', start, 'next', start + math.max(gap, least))
    return start - now
end

local function is_held(site)
    return redis.call('HEXISTS', site, 'holder') == 1 and number(site, 'until') > now
end

local function grant(site, line, asker)
    while not is_held(site) do
        local first = redis.call('ZRANGE', line, 0, 0)[1]
        if not first then return end
        redis.call('ZREM', line, first)
        local rest = number(site, 'next') - now
        if rest > longest then
            tell(first, -rest, asker)
        else
            note(site, 'holder', first, 'until', now + LIFE)
            tell(first, begin(site, 0), asker)
        end
    end
end

local function stand(line, ticket)
    redis.call('ZADD', line, 'NX', clock[1] * 1000000 + clock[2], ticket)
    redis.call('PEXPIRE', line, KEPT)
end

for index = 3, #ARGV, 3 do
    local operation, ticket, amount = ARGV[index], ARGV[index + 1], tonumber(ARGV[index + 2])
    local at = 2 * (index / 3) -- the operation's first key: 2, 4, 6 ...
    local site, line = KEYS[at], KEYS[at + 1]
    local is_holder = redis.call('HGET', site, 'holder') == ticket
    if operation == 'enter' then
        stand(line, ticket)
    elseif operation == 'leave' then
        redis.call('ZREM', line, ticket)
        if is_holder then redis.call('HDEL', site, 'holder', 'until') end
    elseif operation == 'again' then
        tell(ticket, begin(site, amount), owner(ticket))
    elseif operation == 'slower' then
        note(site, 'next', math.max(number(site, 'next'), number(site, 'began') + amount))
    elseif operation == 'pause' then
        note(site, 'next', math.max(number(site, 'next'), now + amount))
    elseif operation == 'holds' then
        if is_holder or not is_held(site) then note(site, 'holder', ticket, 'until', now + LIFE) end
    elseif is_holder then -- waits although it was notified: the message seems to be lost
        note(site, 'until', now + LIFE)
        tell(ticket, math.max(0, number(site, 'began') - now), owner(ticket))
    else
        stand(line, ticket)
    end
    grant(site, line, owner(ticket))
end
return answer

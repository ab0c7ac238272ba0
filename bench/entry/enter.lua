-- Enters a user and decides at once. KEYS: the user's lock, the places that are left. ARGV: the request.
-- The lock keeps the request and how it ended, so that whoever enters again is told the same.
local result = 'REJECTED'
if tonumber(redis.call('GET', KEYS[2])) > 0 then result = 'SUCCEEDED' end
if redis.call('SETNX', KEYS[1], ARGV[1] .. ' ' .. result) == 0 then
  return { redis.call('GET', KEYS[1]), 1 }
end
if result == 'SUCCEEDED' then redis.call('DECR', KEYS[2]) end
return { ARGV[1] .. ' ' .. result, 0 }

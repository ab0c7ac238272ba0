-- Enters a user and decides at once. KEYS: the user's lock, the remaining seats. ARGV: the request.
-- The lock stores the request and its result, so that entering again returns the same.
local result = 'REJECTED'
if tonumber(redis.call('GET', KEYS[2])) > 0 then result = 'SUCCEEDED' end
if redis.call('SETNX', KEYS[1], ARGV[1] .. ' ' .. result) == 0 then
  return { redis.call('GET', KEYS[1]), 1 }
end
if result == 'SUCCEEDED' then redis.call('DECR', KEYS[2]) end
return { ARGV[1] .. ' ' .. result, 0 }

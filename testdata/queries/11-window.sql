-- Records around midnight.
SELECT event, count(*) AS records, min(time) AS first, max(time) AS last
FROM events
WHERE time >= TIMESTAMP '2026-11-23 23:59:59.900' AND time < TIMESTAMP '2026-11-24 00:00:00.100'
GROUP BY event
ORDER BY event

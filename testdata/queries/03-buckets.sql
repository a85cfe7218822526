-- Records in each period of a quarter of a second.
SELECT wall_ns - wall_ns % 250000000 AS begin_ns, count(*) AS records
FROM events
GROUP BY wall_ns - wall_ns % 250000000
ORDER BY begin_ns

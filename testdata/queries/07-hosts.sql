-- The traces and records of each host.
SELECT host, count(DISTINCT trace) AS traces, count(DISTINCT pid) AS processes, count(*) AS records,
    min(wall_ns) AS first_ns, max(wall_ns) AS last_ns
FROM events
GROUP BY host
ORDER BY host

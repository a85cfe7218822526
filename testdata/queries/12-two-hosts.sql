-- Two hosts compared: requests, failures, and the mean latency in whole nanoseconds.
SELECT s.host, t.build_id, count(*) AS requests,
    sum(CASE WHEN s.end_ret < 0 THEN 1 ELSE 0 END) AS failures,
    sum(CASE WHEN s.outcome = 'open' THEN 1 ELSE 0 END) AS unfinished,
    sum(s.latency_ns) AS latency_ns
FROM spans s
JOIN traces t ON t.trace = s.trace
GROUP BY s.host, t.build_id
ORDER BY s.host, t.build_id

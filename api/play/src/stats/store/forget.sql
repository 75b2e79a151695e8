WITH plays AS (DELETE FROM play_stats WHERE day = $1),
     hours AS (DELETE FROM hour_stats WHERE day = $1),
     lengths AS (DELETE FROM length_stats WHERE day = $1),
     sittings AS (DELETE FROM sitting_stats WHERE day = $1),
     orders AS (DELETE FROM order_stats WHERE day = $1),
     roles AS (DELETE FROM role_stats WHERE day = $1)
DELETE FROM seat_stats WHERE day = $1

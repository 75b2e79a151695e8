//! What takes longest: statements as PostgreSQL counts them where it does (`pg_stat_statements`), and this process's own
//! routes in any case.

use std::collections::HashMap;

use diesel_async::AsyncPgConnection;
use serde::Serialize;
use utoipa::ToSchema;

use super::store;

const MOST: usize = 10;

/// What takes longest.
#[derive(Default, Serialize, ToSchema)]
pub struct Slow {
    /// The statements that took the most time in all. None where PostgreSQL does not count them.
    pub statements: Option<Vec<Timed>>,
    /// The routes of this process that take longest on average.
    pub routes: Vec<Timed>,
}

#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub struct Timed {
    #[schema(example = "GET /api/v1/matches/{id}")]
    pub what: String,
    pub calls: i64,
    pub mean_ms: f64,
    pub total_ms: f64,
}

/// `metrics` as Prometheus reads them.
pub async fn read(conn: &mut AsyncPgConnection, metrics: &str) -> Slow {
    Slow { statements: statements(conn).await, routes: routes(metrics) }
}

/// Not being allowed to look is the same as there being nothing to see.
async fn statements(conn: &mut AsyncPgConnection) -> Option<Vec<Timed>> {
    if !store::counts_statements(conn).await.ok()? {
        return None;
    }
    let found = store::slow_statements(conn, MOST as i64).await.ok()?;
    let timed =
        |it: store::Statement| Timed { what: it.what, calls: it.calls, mean_ms: it.mean_ms, total_ms: it.total_ms };
    Some(found.into_iter().map(timed).collect())
}

/// From what Prometheus reads: `http_request_seconds_sum{method="GET",route="/admin"} 0.5`.
fn routes(metrics: &str) -> Vec<Timed> {
    let mut found: HashMap<String, (f64, f64)> = HashMap::new();
    for line in metrics.lines() {
        let Some((name, rest)) = line.split_once('{') else { continue };
        let Some((labels, value)) = rest.rsplit_once("} ") else { continue };
        let value: f64 = value.parse().unwrap_or(0.0);
        let label = |name: &str| labels.split_once(&format!("{name}=\""))?.1.split('"').next();
        let (Some(method), Some(route)) = (label("method"), label("route")) else { continue };
        let timed = found.entry(format!("{method} {route}")).or_default();
        match name {
            "http_request_seconds_sum" => timed.0 += value,
            "http_request_seconds_count" => timed.1 += value,
            _ => {}
        }
    }
    let mut timed: Vec<Timed> = found
        .into_iter()
        // Streams and long polls wait on purpose.
        .filter(|(what, (_, count))| *count > 0.0 && !["/stream", "/live/", "/view"].iter().any(|it| what.contains(it)))
        .map(|(what, (sum, count))| {
            let total_ms = sum * 1000.0;
            Timed { what, calls: count as i64, mean_ms: total_ms / count, total_ms }
        })
        .collect();
    timed.sort_by(|a, b| b.mean_ms.total_cmp(&a.mean_ms).then_with(|| a.what.cmp(&b.what)));
    timed.truncate(MOST);
    timed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_route_comes_first_and_waiting_is_not_slow() {
        let metrics = "# TYPE http_request_seconds histogram\n\
            http_request_seconds_bucket{method=\"GET\",route=\"/a/{id}\",le=\"0.1\"} 1\n\
            http_request_seconds_sum{method=\"GET\",route=\"/a/{id}\"} 0.5\n\
            http_request_seconds_count{method=\"GET\",route=\"/a/{id}\"} 2\n\
            http_request_seconds_sum{method=\"POST\",route=\"/b\"} 0.3\n\
            http_request_seconds_count{method=\"POST\",route=\"/b\"} 1\n\
            http_request_seconds_sum{method=\"GET\",route=\"/m/{id}/stream\"} 99\n\
            http_request_seconds_count{method=\"GET\",route=\"/m/{id}/stream\"} 1\n";
        let told: Vec<_> = routes(metrics).into_iter().map(|it| (it.what, it.calls, it.mean_ms)).collect();
        assert_eq!(told, [("POST /b".to_owned(), 1, 300.0), ("GET /a/{id}".to_owned(), 2, 250.0)]);
    }
}

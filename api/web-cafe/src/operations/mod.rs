//! Operations as JSON and pages.

pub mod admin;
pub mod rest;

use actix_web::web::{Data, block};
use metrics_exporter_prometheus::PrometheusHandle;

use base::audit::chain::NotedHead;
use base::auth::{StaffContext, can};
use base::db::Db;
use base::error::internal;
use cafe::operations::checks::Machine;
use cafe::operations::{Capacity, Heartbeat, Here, Operations};
use web_base::config::Config;
use web_base::error::ApiResult;
use web_base::limits::{Limits, open_descriptors};

/// What a process knows of itself.
type Process = (Data<Db>, Data<Config>, Data<Heartbeat>, Data<NotedHead>, Data<Limits>, Data<PrometheusHandle>);

async fn read(cx: &mut StaffContext<'_, can::ViewOperations>, process: &Process) -> ApiResult<Operations> {
    let (db, config, heartbeat, noted, limits, metrics) = process;
    let setup = config.setup();
    let (setup, machine) = block(move || {
        let machine = Machine::measure(&setup);
        (setup, machine)
    })
    .await
    .map_err(internal)?;
    let most = limits.capacity();
    let capacity = Capacity {
        descriptors: most.descriptors,
        descriptors_open: open_descriptors(),
        streams: most.streams,
        streams_open: limits.open_streams(),
    };
    let here = Here {
        db,
        heartbeat,
        noted,
        pool_size: config.pool_size,
        capacity,
        metrics: &metrics.render(),
        setup: &setup,
        machine: &machine,
    };
    Ok(Operations::read(cx, here).await?)
}

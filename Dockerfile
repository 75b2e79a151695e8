# Two images from one build. The last one, which `docker build .` makes, brings a PostgreSQL along and keeps its data in the
# volume /data; `docker build --target external .` makes a smaller one that needs DATABASE_URL.

FROM rust:1.95.0-slim-bookworm AS build
# The image's own, instead of the newest that `rust-toolchain.toml` allows.
ENV RUSTUP_TOOLCHAIN=1.95.0
WORKDIR /src
COPY . .
# Shown to managers on the operations page, e.g. --build-arg HOUSERULES_REVISION=$(git rev-parse --short HEAD).
ARG HOUSERULES_REVISION
# `guided` keeps the compiler busy more than twice as long, for a program that spends less on each move (docs/performance.md).
ARG BUILD=plain
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/src/target \
    case $BUILD in \
    guided) program=$(scripts/release) ;; \
    *) cargo build --release --locked -p api --bin houserules && program=target/release/houserules ;; \
    esac && install "$program" /houserules

FROM debian:bookworm-slim AS external
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates tzdata \
    && rm -rf /var/lib/apt/lists/*
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin houserules \
    && install -d -o houserules -g houserules -m 0700 /data
COPY --from=build /houserules /usr/local/bin/houserules
# Health and metrics are inside the container only; set 0.0.0.0:9080 for a Prometheus in the same network, and do not publish it.
ENV HOUSERULES_BIND=0.0.0.0:8080 HOUSERULES_OPS_BIND=127.0.0.1:9080 HOUSERULES_DATA=/data
USER houserules
WORKDIR /data
VOLUME /data
EXPOSE 8080
# The first start makes a database; a start after a crash may have much to recover.
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s CMD ["houserules", "healthcheck"]
ENTRYPOINT ["houserules"]
CMD ["serve"]

FROM external
USER root
# The package would make a cluster of its own. What compiles long queries to machine code goes again: a third of the image, and
# our queries are short. PostgreSQL notices that it is not there, and does without.
RUN install -d /etc/postgresql-common/createcluster.d \
    && echo "create_main_cluster = false" > /etc/postgresql-common/createcluster.d/house-rules.conf \
    && apt-get update \
    && apt-get install -y --no-install-recommends postgresql age \
    && rm -rf /var/lib/apt/lists/* /usr/lib/postgresql/*/lib/llvmjit* /usr/lib/postgresql/*/lib/bitcode \
        /usr/lib/*/libLLVM* /usr/lib/*/libz3*
USER houserules

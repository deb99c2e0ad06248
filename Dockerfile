# The program alone, linked statically: docker build -t baseref .
#
#   docker run --rm --network none -v "$PWD:/data:ro" baseref audit site
FROM rust:1.95-alpine3.23@sha256:606fd313a0f49743ee2a7bd49a0914bab7deedb12791f3a846a34a4711db7ed2 AS build
RUN apk add --no-cache gcc make musl-dev
WORKDIR /source
COPY . .
RUN RUSTFLAGS="--cfg baseref_mimalloc" cargo build --locked --profile dist --bin baseref

FROM scratch
COPY --from=build /source/target/dist/baseref /baseref
COPY LICENSE-APACHE LICENSE-MIT /
USER 65534:65534
WORKDIR /data
ENTRYPOINT ["/baseref"]

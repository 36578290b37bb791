# The image of the service. Its variables, volumes and variants: docs/deploying.md, "A container".

FROM python:3.13.14-slim-trixie@sha256:6771159cd4fa5d9bba1258caf0b82e6b73458c694d178ad97c5e925c2d0e1a91 AS build
# With the clients of PostgreSQL and Redis. requirements/otel.txt adds traces of OpenTelemetry, requirements/s3.txt the client of buckets.
ARG REQUIREMENTS=requirements/production.txt
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /src
RUN python -m venv /opt/majlis
COPY requirements/production.txt requirements/otel.txt requirements/s3.txt requirements/
RUN /opt/majlis/bin/python -m pip install --require-hashes -r "$REQUIREMENTS"

# A release passes the wheel that was checked instead: --build-context wheel=dist
FROM build AS wheel
COPY pyproject.toml hatch_build.py README.md LICENSE ./
COPY knowledge knowledge
COPY renderers renderers
COPY indexes indexes
COPY llms llms
COPY app app
RUN /opt/majlis/bin/python -m hatchling build --target wheel && mv dist/*.whl /

# In a folder of its own: an update of the project is a layer of six megabytes.
FROM build AS project
COPY --from=wheel /*.whl ./
RUN /opt/majlis/bin/python -m pip install --no-deps --prefix /project ./*.whl
# Templates are compiled ahead, as modules are, since the service cannot write there.
RUN PYTHONPATH="$(echo /project/lib/python3.*/site-packages)" /opt/majlis/bin/python -P -c "from renderers.html.templating import Language, environment; templates = environment(Language.EN); [templates.get_template(name) for name in templates.list_templates(['html'])]"

# Without what builds, and without the commands of packages.
FROM build AS packages
RUN /opt/majlis/bin/python -m pip uninstall --yes editables hatchling pip \
    && find /opt/majlis/bin -type f -delete

FROM python:3.13.14-slim-trixie@sha256:6771159cd4fa5d9bba1258caf0b82e6b73458c694d178ad97c5e925c2d0e1a91 AS system
RUN python -m pip uninstall --yes --root-user-action ignore pip \
    && rm -rf /usr/local/lib/python3.*/ensurepip \
    && groupadd --system --gid 10001 majlis \
    && useradd --system --uid 10001 --gid majlis --no-create-home --home-dir /var/lib/majlis majlis \
    && install -d -o majlis -g majlis -m 0750 /var/lib/majlis

FROM system AS runtime
COPY --from=packages /opt/majlis /opt/majlis
COPY --from=project /project /opt/majlis
ENV PATH=/opt/majlis/bin:$PATH \
    HOST=0.0.0.0 \
    METRICS_PORT=9100 \
    DATABASE_URL=sqlite:////var/lib/majlis/majlis.db
# Relative paths of settings, such as var/preview.key, are in the volume.
WORKDIR /var/lib/majlis
VOLUME /var/lib/majlis
USER 10001:10001
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as web; web.urlopen(f\"http://127.0.0.1:{os.environ['METRICS_PORT']}/ready\", timeout=4)"]
CMD ["majlis", "serve"]

# With pg_dump, pg_restore and psql, which `majlis backup` and `majlis restore` run with PostgreSQL.
FROM runtime AS postgresql
USER 0:0
# Debian keeps only the newest build of a version, so that a pin of it would soon fail.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends postgresql-client-17 \
    && rm -rf /var/lib/apt/lists/*
USER 10001:10001

# With git too, for content from a repository (CONTENT_GIT).
FROM postgresql AS git
USER 0:0
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates git openssh-client \
    && rm -rf /var/lib/apt/lists/*
USER 10001:10001

# nginx in front of several instances, with the configuration that `majlis nginx` prints.
FROM runtime AS nginx
USER 0:0
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends nginx-light \
    && rm -rf /var/lib/apt/lists/*
USER 10001:10001

# Without shell, package manager or any other program of Debian. What is known of its packages stays for scanners.
FROM system AS bare
RUN rm -rf /usr/share/doc /usr/share/man /usr/share/perl* /usr/lib/*/perl* /usr/lib/apt /usr/local/bin/2to3* /usr/local/bin/idle* \
    && find /usr/bin /usr/sbin -mindepth 1 -delete

FROM scratch AS service
# All that is left is wanted: a copy has no layer with what was deleted. Each of the three changes less often than the next.
# hadolint ignore=DL3067
COPY --from=bare / /
COPY --from=packages /opt/majlis /opt/majlis
COPY --from=project /project /opt/majlis
ENV PATH=/opt/majlis/bin:/usr/local/bin \
    HOST=0.0.0.0 \
    METRICS_PORT=9100 \
    DATABASE_URL=sqlite:////var/lib/majlis/majlis.db
WORKDIR /var/lib/majlis
VOLUME /var/lib/majlis
USER 10001:10001
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as web; web.urlopen(f\"http://127.0.0.1:{os.environ['METRICS_PORT']}/ready\", timeout=4)"]
CMD ["majlis", "serve"]

# One image for every process; the compose file says which one a container runs.
FROM python:3.13-slim AS build
COPY requirements/runtime.lock /requirements/runtime.lock
RUN python -m venv /opt/taki \
    && /opt/taki/bin/pip install --no-cache-dir --require-hashes --no-deps -r /requirements/runtime.lock

FROM python:3.13-slim
ENV PATH=/opt/taki/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    TAKI_STATIC_DIR=/app/static \
    TAKI_DATA_DIR=/tmp/taki
RUN useradd --system --uid 10001 --no-create-home taki
COPY --from=build /opt/taki /opt/taki
WORKDIR /app
COPY . /app
# Needs no secret and no database; the result is read-only for the user below.
RUN DJANGO_SETTINGS_MODULE=config.settings.test python manage.py collectstatic --noinput --verbosity 0
USER taki
EXPOSE 8000 8001
CMD ["gunicorn", "-c", "python:config.gunicorn", "config.wsgi:application"]

CREATE TABLE alembic_version (
    version_num VARCHAR(32) NOT NULL,
    CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO alembic_version VALUES ('0018');
CREATE TABLE audience_agents (
    day DATE NOT NULL,
    agent VARCHAR(64) NOT NULL,
    reader VARCHAR(16) NOT NULL,
    form VARCHAR(16) NOT NULL,
    number BIGINT NOT NULL,
    CONSTRAINT pk_audience_agents PRIMARY KEY (day, agent, reader, form)
);
CREATE TABLE audience_missed (
    day DATE NOT NULL,
    path VARCHAR(200) NOT NULL,
    origin VARCHAR(200) NOT NULL,
    reader VARCHAR(16) NOT NULL,
    number BIGINT NOT NULL,
    CONSTRAINT pk_audience_missed PRIMARY KEY (day, path, origin, reader)
);
CREATE TABLE audience_pages (
    day DATE NOT NULL,
    page VARCHAR(200) NOT NULL,
    form VARCHAR(16) NOT NULL,
    status INTEGER NOT NULL,
    reader VARCHAR(16) NOT NULL,
    number BIGINT NOT NULL,
    CONSTRAINT pk_audience_pages PRIMARY KEY (day, page, form, status, reader)
);
CREATE TABLE audience_searches (
    day DATE NOT NULL,
    channel VARCHAR(16) NOT NULL,
    "query" VARCHAR(200) NOT NULL,
    hits INTEGER NOT NULL,
    number BIGINT NOT NULL,
    CONSTRAINT pk_audience_searches PRIMARY KEY (day, channel, "query", hits)
);
CREATE TABLE changes (
    id BIGINT NOT NULL,
    revision INTEGER NOT NULL,
    recorded_at DATETIME NOT NULL,
    at DATETIME NOT NULL,
    change VARCHAR(16) NOT NULL,
    path TEXT NOT NULL,
    moved_to TEXT,
    kind VARCHAR(64) NOT NULL,
    country VARCHAR(2),
    language VARCHAR(2) NOT NULL,
    CONSTRAINT pk_changes PRIMARY KEY (id)
);
CREATE TABLE deliveries (
    id VARCHAR(40) NOT NULL,
    kind VARCHAR(16) NOT NULL,
    subject_id VARCHAR(64) NOT NULL,
    subject VARCHAR(255) NOT NULL,
    revision INTEGER,
    ordered BOOLEAN NOT NULL,
    body BLOB NOT NULL,
    status VARCHAR(16) NOT NULL,
    attempts INTEGER NOT NULL,
    created_at DATETIME NOT NULL,
    next_attempt_at DATETIME,
    leased_until DATETIME,
    lease VARCHAR(40),
    response_status INTEGER,
    error TEXT,
    traceparent VARCHAR(55),
    tracestate VARCHAR(512),
    CONSTRAINT pk_deliveries PRIMARY KEY (id)
);
CREATE TABLE delivery_attempts (
    id INTEGER NOT NULL,
    delivery_id VARCHAR(40) NOT NULL,
    started_at DATETIME NOT NULL,
    finished_at DATETIME NOT NULL,
    response_status INTEGER,
    error TEXT,
    CONSTRAINT pk_delivery_attempts PRIMARY KEY (id),
    CONSTRAINT fk_delivery_attempts_delivery_id FOREIGN KEY(delivery_id) REFERENCES deliveries (id)
);
CREATE TABLE feedback (
    id VARCHAR(36) NOT NULL,
    received_at DATETIME NOT NULL,
    path TEXT NOT NULL,
    message TEXT NOT NULL,
    kind VARCHAR(16) NOT NULL,
    digest VARCHAR(64) NOT NULL,
    CONSTRAINT pk_feedback PRIMARY KEY (id)
);
CREATE TABLE follower_positions (
    follower VARCHAR(64) NOT NULL,
    last_change BIGINT NOT NULL,
    CONSTRAINT pk_follower_positions PRIMARY KEY (follower)
);
CREATE TABLE lead_assessments (
    lead_id VARCHAR(36) NOT NULL,
    received_at DATETIME NOT NULL,
    score INTEGER NOT NULL,
    reasons TEXT NOT NULL,
    sender VARCHAR(64) NOT NULL,
    domain VARCHAR(64) NOT NULL,
    network VARCHAR(64),
    released_at DATETIME,
    CONSTRAINT pk_lead_assessments PRIMARY KEY (lead_id),
    CONSTRAINT fk_lead_assessments_lead_id_leads FOREIGN KEY(lead_id) REFERENCES leads (id) ON DELETE CASCADE
);
CREATE TABLE lead_exports (
    id INTEGER NOT NULL,
    exported_at DATETIME NOT NULL,
    command VARCHAR(16) NOT NULL,
    os_user TEXT NOT NULL,
    stated_by TEXT,
    selection TEXT NOT NULL,
    number INTEGER,
    CONSTRAINT pk_lead_exports PRIMARY KEY (id)
);
CREATE TABLE lead_keys (
    digest VARCHAR(64) NOT NULL,
    body_digest VARCHAR(64) NOT NULL,
    lead_id VARCHAR(36) NOT NULL,
    received_at DATETIME NOT NULL,
    CONSTRAINT pk_lead_keys PRIMARY KEY (digest),
    CONSTRAINT fk_lead_keys_lead_id FOREIGN KEY(lead_id) REFERENCES leads (id) ON DELETE CASCADE
);
CREATE TABLE lead_retention (
    id INTEGER NOT NULL,
    caught_up_at DATETIME,
    CONSTRAINT pk_lead_retention PRIMARY KEY (id)
);
INSERT INTO lead_retention VALUES (1, NULL);
INSERT INTO lead_retention VALUES (2, NULL);
CREATE TABLE lead_sketches (
    lead_id VARCHAR(36) NOT NULL,
    digest VARCHAR(64) NOT NULL,
    received_at DATETIME NOT NULL,
    CONSTRAINT pk_lead_sketches PRIMARY KEY (lead_id, digest),
    CONSTRAINT fk_lead_sketches_lead_id_leads FOREIGN KEY(lead_id) REFERENCES leads (id) ON DELETE CASCADE
);
CREATE TABLE leads (
    id VARCHAR(36) NOT NULL,
    received_at DATETIME NOT NULL,
    email TEXT NOT NULL,
    email_folded TEXT NOT NULL,
    name TEXT,
    phone TEXT,
    phone_e164 TEXT,
    company TEXT,
    topic TEXT,
    message TEXT,
    source_page TEXT,
    source TEXT,
    product_service TEXT,
    country_code TEXT,
    locale_country TEXT,
    locale_lang TEXT,
    quarantined BOOLEAN NOT NULL,
    digest VARCHAR(64) NOT NULL,
    page TEXT, utm_source TEXT,
    utm_medium TEXT, utm_campaign TEXT,
    utm_term TEXT, utm_content TEXT,
    anonymised_at DATETIME, notified BOOLEAN DEFAULT 0 NOT NULL, subject TEXT,
    CONSTRAINT pk_leads PRIMARY KEY (id)
);
CREATE TABLE order_counter (
    id INTEGER NOT NULL,
    last_id BIGINT NOT NULL,
    last_updated_at DATETIME NOT NULL,
    CONSTRAINT pk_order_counter PRIMARY KEY (id)
);
INSERT INTO order_counter VALUES (1, 0, '1970-01-01 00:00:00.000000');
CREATE TABLE orders (
    id BIGINT NOT NULL,
    number VARCHAR(64) NOT NULL,
    revision INTEGER NOT NULL,
    status VARCHAR(16) NOT NULL,
    updated_at DATETIME NOT NULL,
    body TEXT NOT NULL,
    CONSTRAINT pk_orders PRIMARY KEY (id),
    CONSTRAINT uq_orders_number UNIQUE (number)
);
CREATE TABLE published_pages (
    path TEXT NOT NULL,
    record TEXT NOT NULL,
    revision INTEGER NOT NULL,
    seen_at DATETIME,
    CONSTRAINT pk_published_pages PRIMARY KEY (path)
);
CREATE TABLE published_state (
    id INTEGER NOT NULL,
    log VARCHAR(16) NOT NULL,
    revision INTEGER NOT NULL,
    last_change BIGINT NOT NULL,
    purged_change BIGINT NOT NULL,
    checked_at DATETIME,
    site TEXT NOT NULL,
    CONSTRAINT pk_published_state PRIMARY KEY (id)
);
INSERT INTO published_state VALUES (1, lower(hex(randomblob(4))), 0, 0, 0, NULL, '');
CREATE TABLE quarantine_digests (
    id INTEGER NOT NULL,
    told_until DATETIME,
    CONSTRAINT pk_quarantine_digests PRIMARY KEY (id)
);
INSERT INTO quarantine_digests VALUES (1, NULL);
CREATE TABLE shared_keys (
    variable VARCHAR(64) NOT NULL,
    fingerprint VARCHAR(16) NOT NULL,
    CONSTRAINT pk_shared_keys PRIMARY KEY (variable)
);
CREATE INDEX ix_leads_received_at ON leads (received_at);
CREATE INDEX ix_leads_email_folded ON leads (email_folded);
CREATE INDEX ix_leads_digest_received_at ON leads (digest, received_at);
CREATE INDEX ix_lead_keys_lead_id ON lead_keys (lead_id);
CREATE INDEX ix_lead_keys_received_at ON lead_keys (received_at);
CREATE INDEX ix_orders_updated_at ON orders (updated_at);
CREATE INDEX ix_leads_quarantined ON leads (received_at) WHERE quarantined = 1;
CREATE INDEX ix_published_pages_revision ON published_pages (revision);
CREATE INDEX ix_changes_recorded_at ON changes (recorded_at);
CREATE INDEX ix_feedback_received_at ON feedback (received_at);
CREATE INDEX ix_feedback_digest_received_at ON feedback (digest, received_at);
CREATE INDEX ix_deliveries_created_at ON deliveries (created_at);
CREATE INDEX ix_delivery_attempts_delivery_id ON delivery_attempts (delivery_id);
CREATE INDEX ix_deliveries_status ON deliveries (kind, status);
CREATE INDEX ix_deliveries_due ON deliveries (kind, next_attempt_at) WHERE status = 'pending';
CREATE UNIQUE INDEX uq_deliveries_pending ON deliveries (kind, subject_id, revision) WHERE status = 'pending';
CREATE UNIQUE INDEX uq_deliveries_leased ON deliveries (kind, subject_id) WHERE ordered = 1 AND lease IS NOT NULL;
CREATE INDEX ix_leads_identified ON leads (received_at) WHERE anonymised_at IS NULL;
CREATE INDEX ix_lead_exports_exported_at ON lead_exports (exported_at);
CREATE INDEX ix_lead_assessments_network ON lead_assessments (network, received_at);
CREATE INDEX ix_lead_sketches_digest ON lead_sketches (digest, received_at);
CREATE INDEX ix_leads_accepted ON leads (received_at) WHERE quarantined = 0;
CREATE INDEX ix_lead_assessments_released_sender ON lead_assessments (sender) WHERE released_at IS NOT NULL;
CREATE INDEX ix_lead_assessments_released_domain ON lead_assessments (domain) WHERE released_at IS NOT NULL;

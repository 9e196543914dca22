-- Tables, keys and most indexes come from the Prisma schema (packages/db/bin/schema-sql.mjs). Checks, partial indexes,
-- expression indexes, functions and triggers are written by hand because the Prisma schema cannot express them.

CREATE TABLE activity (
    id UUID NOT NULL,
    company_id UUID NOT NULL,
    sequence BIGSERIAL NOT NULL,
    transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
    actor_type TEXT NOT NULL,
    actor_id TEXT,
    run_id UUID,
    action TEXT NOT NULL,
    entity_type TEXT NOT NULL,
    entity_id TEXT NOT NULL,
    details JSONB NOT NULL DEFAULT '{}',
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT activity_pkey PRIMARY KEY (id),
    CONSTRAINT activity_entity_check CHECK (
      CASE WHEN entity_type IN ('issue', 'agent', 'heartbeat_run', 'routine', 'project', 'goal', 'secret', 'label', 'workspace', 'company')
        THEN entity_id::uuid IS NOT NULL ELSE true END)
);
CREATE UNIQUE INDEX activity_sequence_key ON activity(sequence);
CREATE INDEX activity_company_id_created_at_id_idx ON activity(company_id, created_at, id);
CREATE INDEX activity_company_id_transaction_id_sequence_idx ON activity(company_id, transaction_id, sequence);
CREATE INDEX activity_company_id_entity_type_created_at_id_idx ON activity(company_id, entity_type, created_at, id);
CREATE INDEX activity_company_id_entity_id_created_at_id_idx ON activity(company_id, entity_id, created_at, id);
CREATE INDEX activity_company_id_actor_id_created_at_id_idx ON activity(company_id, actor_id, created_at, id);
CREATE INDEX activity_company_id_action_created_at_id_idx ON activity(company_id, action, created_at, id);

CREATE TABLE agent (
    id UUID NOT NULL,
    company_id UUID NOT NULL,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    title TEXT,
    capabilities TEXT,
    reports_to UUID,
    status TEXT NOT NULL DEFAULT 'idle',
    pause_reason TEXT,
    paused_at TIMESTAMPTZ(6),
    error_reason TEXT,
    budget_monthly_cents BIGINT NOT NULL DEFAULT 0,
    adapter_type TEXT NOT NULL,
    adapter_config JSONB NOT NULL DEFAULT '{}',
    max_concurrent_runs INTEGER NOT NULL DEFAULT 1,
    wake_on_assignment BOOLEAN NOT NULL DEFAULT false,
    limit_keys TEXT[] DEFAULT ARRAY[]::TEXT[],
    consecutive_failures INTEGER NOT NULL DEFAULT 0,
    last_heartbeat_at TIMESTAMPTZ(3),
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    -- The normalised name (`nameKey` in unique-names.ts), by which names are compared.
    name_key TEXT NOT NULL,
    CONSTRAINT agent_pkey PRIMARY KEY (id),
    CONSTRAINT agent_status_check CHECK (status IN ('idle', 'running', 'paused', 'error', 'pending_approval', 'terminated')),
    CONSTRAINT agent_pause_check CHECK ((status = 'paused') = (pause_reason IS NOT NULL)),
    CONSTRAINT agent_budget_check CHECK (budget_monthly_cents >= 0)
);
CREATE INDEX agent_company_id_created_at_id_idx ON agent(company_id, created_at, id);
CREATE INDEX agent_company_id_reports_to_idx ON agent(company_id, reports_to);
CREATE UNIQUE INDEX agent_company_id_id_key ON agent(company_id, id);
-- Agents that resume when a new month begins.
CREATE INDEX agent_paused_by_budget ON agent(id) WHERE pause_reason = 'budget';
-- The name of a terminated agent may be used again.
CREATE UNIQUE INDEX agent_name_key_key ON agent(company_id, name_key) WHERE status <> 'terminated';

CREATE TABLE agent_key (
    id UUID NOT NULL,
    company_id UUID NOT NULL,
    agent_id UUID NOT NULL,
    name TEXT NOT NULL,
    prefix TEXT NOT NULL,
    hash BYTEA NOT NULL,
    last_used_at TIMESTAMPTZ(3),
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    recorded_addresses TEXT[] DEFAULT ARRAY[]::TEXT[],
    recorded_since TIMESTAMPTZ(3),
    CONSTRAINT agent_key_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX agent_key_hash_key ON agent_key(hash);
CREATE INDEX agent_key_company_id_agent_id_created_at_id_idx ON agent_key(company_id, agent_id, created_at, id);

CREATE TABLE agent_config_revision (
    id UUID NOT NULL,
    company_id UUID NOT NULL,
    agent_id UUID NOT NULL,
    revision_number INTEGER NOT NULL,
    changed_keys TEXT[],
    before JSONB,
    after JSONB NOT NULL,
    source TEXT NOT NULL,
    rolled_back_from_revision_id UUID,
    created_by_agent_id UUID,
    created_by_user_id TEXT,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT agent_config_revision_pkey PRIMARY KEY (id)
);
CREATE INDEX agent_config_revision_company_id_agent_id_created_at_id_idx ON agent_config_revision(company_id, agent_id, created_at, id);
CREATE UNIQUE INDEX agent_config_revision_agent_id_revision_number_key ON agent_config_revision(agent_id, revision_number);

CREATE TABLE agent_month (
    company_id UUID NOT NULL,
    agent_id UUID NOT NULL,
    month DATE NOT NULL,
    cost_cents BIGINT NOT NULL DEFAULT 0,
    input_tokens BIGINT NOT NULL DEFAULT 0,
    output_tokens BIGINT NOT NULL DEFAULT 0,
    unpriced_events INTEGER NOT NULL DEFAULT 0,
    watch_at_cents BIGINT NOT NULL DEFAULT 0,
    granted_cents BIGINT NOT NULL DEFAULT 0,
    soft_alerted_at TIMESTAMPTZ(6),
    hard_stopped_at TIMESTAMPTZ(6),
    CONSTRAINT agent_month_pkey PRIMARY KEY (agent_id,month)
);
CREATE INDEX agent_month_company_id_month_idx ON agent_month(company_id, month);

CREATE TABLE agent_check (
    id UUID NOT NULL,
    company_id UUID NOT NULL,
    agent_id UUID NOT NULL,
    requested_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    claimed_at TIMESTAMPTZ(3),
    findings JSONB,
    runner_instance UUID,
    -- Null if the check is not about a workspace.
    workspace_id UUID,
    CONSTRAINT agent_check_pkey PRIMARY KEY (id)
);
CREATE INDEX agent_check_company_id_agent_id_idx ON agent_check(company_id, agent_id);
CREATE INDEX agent_check_requested_at_idx ON agent_check(requested_at);

CREATE TABLE agent_session (
    company_id UUID NOT NULL,
    agent_id UUID NOT NULL,
    issue_id UUID NOT NULL,
    adapter_type TEXT NOT NULL,
    session_id TEXT NOT NULL,
    directory TEXT NOT NULL,
    counted JSONB NOT NULL DEFAULT '{}',
    updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT agent_session_pkey PRIMARY KEY (agent_id,issue_id,adapter_type)
);
CREATE INDEX agent_session_company_id_agent_id_idx ON agent_session(company_id, agent_id);
CREATE INDEX agent_session_company_id_issue_id_idx ON agent_session(company_id, issue_id);

-- Number of wakes in the current hour by triggers that agents created. A separate table, because a firing must lock this
-- row first, then the company's row, then the agent's row.
CREATE TABLE agent_self_wake (
    company_id UUID NOT NULL,
    agent_id UUID NOT NULL,
    wakes INTEGER NOT NULL,
    since TIMESTAMPTZ(6) NOT NULL,
    CONSTRAINT agent_self_wake_pkey PRIMARY KEY (agent_id)
);
CREATE UNIQUE INDEX agent_self_wake_company_id_agent_id_key ON agent_self_wake(company_id, agent_id);

CREATE TABLE adapter_probe (
    adapter_type TEXT NOT NULL,
    host TEXT NOT NULL,
    found BOOLEAN NOT NULL,
    message TEXT NOT NULL,
    looked_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT adapter_probe_pkey PRIMARY KEY (adapter_type,host)
);

CREATE TABLE approval (
    id UUID NOT NULL,
    company_id UUID NOT NULL,
    type TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'pending',
    payload JSONB NOT NULL DEFAULT '{}',
    hired_agent_id UUID,
    requested_by_agent_id UUID,
    requested_by_user_id TEXT,
    decided_by_user_id TEXT,
    decision_note TEXT,
    decided_at TIMESTAMPTZ(3),
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    answer_option TEXT,
    deadline_at TIMESTAMPTZ(3),
    on_deadline JSONB,
    deadline_passed_at TIMESTAMPTZ(3),
    escalation JSONB NOT NULL DEFAULT '[]',
    waits_since TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    next_step_at TIMESTAMPTZ(3),
    CONSTRAINT approval_pkey PRIMARY KEY (id),
    CONSTRAINT approval_status_check CHECK (status IN ('pending', 'approved', 'rejected', 'revision_requested')),
    CONSTRAINT approval_decided_check CHECK ((status IN ('approved', 'rejected')) = (decided_at IS NOT NULL)),
    CONSTRAINT approval_answer_check CHECK (answer_option IS NULL OR status = 'approved')
);
CREATE INDEX approval_company_id_created_at_id_idx ON approval(company_id, created_at, id);
CREATE INDEX approval_company_id_status_created_at_id_idx ON approval(company_id, status, created_at, id);
CREATE UNIQUE INDEX approval_company_id_id_key ON approval(company_id, id);
CREATE INDEX approval_next_step ON approval(next_step_at) WHERE next_step_at IS NOT NULL;

CREATE TABLE approval_comment (
    id UUID NOT NULL,
    company_id UUID NOT NULL,
    approval_id UUID NOT NULL,
    body TEXT NOT NULL,
    author_agent_id UUID,
    author_user_id TEXT,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT approval_comment_pkey PRIMARY KEY (id)
);
CREATE INDEX approval_comment_approval_id_created_at_id_idx ON approval_comment(approval_id, created_at, id);

CREATE TABLE approval_issue (
    company_id UUID NOT NULL,
    approval_id UUID NOT NULL,
    issue_id UUID NOT NULL,
    CONSTRAINT approval_issue_pkey PRIMARY KEY (approval_id,issue_id)
);
CREATE INDEX approval_issue_company_id_issue_id_idx ON approval_issue(company_id, issue_id);

CREATE TABLE asset (
    id UUID NOT NULL,
    company_id UUID NOT NULL,
    storage_key TEXT NOT NULL,
    content_type TEXT NOT NULL,
    byte_size INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    expires_at TIMESTAMPTZ(3),
    CONSTRAINT asset_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX asset_storage_key_key ON asset(storage_key);
CREATE UNIQUE INDEX asset_company_id_id_key ON asset(company_id, id);
-- The few assets that will be deleted.
CREATE INDEX asset_expiry ON asset(expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE attachment (
    id UUID NOT NULL,
    company_id UUID NOT NULL,
    issue_id UUID NOT NULL,
    asset_id UUID NOT NULL,
    original_filename TEXT NOT NULL,
    created_by_agent_id UUID,
    created_by_user_id TEXT,
    created_by_run_id UUID,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT attachment_pkey PRIMARY KEY (id)
);
CREATE INDEX attachment_issue_id_created_at_id_idx ON attachment(issue_id, created_at, id);
CREATE INDEX attachment_company_id_asset_id_idx ON attachment(company_id, asset_id);

-- Time of the last complete backup, for the alert about missing backups. At most one row.
CREATE TABLE last_backup (
    singleton BOOLEAN NOT NULL DEFAULT true,
    completed_at TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT last_backup_pkey PRIMARY KEY (singleton),
    CONSTRAINT last_backup_singleton_check CHECK (singleton)
);

CREATE TABLE idempotency_record (
    scope TEXT NOT NULL,
    key TEXT NOT NULL,
    request_hash TEXT NOT NULL,
    status INTEGER,
    body TEXT,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    company_id UUID,
    CONSTRAINT idempotency_record_pkey PRIMARY KEY (scope,key)
);
CREATE INDEX idempotency_record_created_at_idx ON idempotency_record(created_at);
CREATE INDEX idempotency_record_company_id_idx ON idempotency_record(company_id);

CREATE TABLE company (
    id UUID NOT NULL,
    name TEXT NOT NULL,
    description TEXT,
    status TEXT NOT NULL DEFAULT 'active',
    issue_prefix TEXT NOT NULL,
    budget_monthly_cents BIGINT NOT NULL DEFAULT 0,
    logo_asset_id UUID,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    storage_bytes BIGINT NOT NULL DEFAULT 0,
    egress_allow_list TEXT[],
    run_weight INTEGER NOT NULL DEFAULT 1,
    CONSTRAINT company_pkey PRIMARY KEY (id),
    CONSTRAINT company_status_check CHECK (status IN ('active', 'paused', 'archived')),
    CONSTRAINT company_budget_check CHECK (budget_monthly_cents >= 0),
    CONSTRAINT company_run_weight_check CHECK (run_weight BETWEEN 1 AND 100)
);
CREATE UNIQUE INDEX company_issue_prefix_key ON company(issue_prefix);

-- Number of issues of a company per status, and of its ended runs per status and UTC day of creation. Counting a million
-- rows of each for a dashboard request took 169 ms.
CREATE TABLE status_tally (
    company_id UUID NOT NULL,
    counted TEXT NOT NULL,
    day DATE NOT NULL,
    status TEXT NOT NULL,
    n INTEGER NOT NULL,
    CONSTRAINT status_tally_pkey PRIMARY KEY (company_id,counted,day,status)
);

-- Changes that are not yet added to `status_tally`. Writers only insert rows, because two writers that updated the same
-- row of the tally would wait for each other. A sweep adds the rows to the tally and deletes them.
CREATE TABLE status_change (
    company_id UUID NOT NULL,
    id BIGSERIAL NOT NULL,
    counted TEXT NOT NULL,
    day DATE NOT NULL,
    status TEXT NOT NULL,
    n INTEGER NOT NULL,
    CONSTRAINT status_change_pkey PRIMARY KEY (company_id,id)
);

CREATE TABLE cost_event (
    id UUID NOT NULL,
    company_id UUID NOT NULL,
    agent_id UUID NOT NULL,
    issue_id UUID,
    project_id UUID,
    goal_id UUID,
    run_id UUID,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    input_tokens BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    cost_cents BIGINT NOT NULL,
    idempotency_key TEXT,
    occurred_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    unpriced BOOLEAN NOT NULL DEFAULT false,
    content_hash TEXT,
    -- `source` is who counted the spend. `disputed_cents` is what an agent reported beyond its budget; it does not count as spend.
    source TEXT NOT NULL,
    disputed_cents BIGINT NOT NULL DEFAULT 0,
    CONSTRAINT cost_event_pkey PRIMARY KEY (id),
    CONSTRAINT cost_event_amount_check CHECK (cost_cents >= 0 AND input_tokens >= 0 AND output_tokens >= 0),
    CONSTRAINT cost_event_unpriced_check CHECK (NOT unpriced OR cost_cents = 0),
    CONSTRAINT cost_event_disputed_check CHECK (disputed_cents >= 0 AND (disputed_cents = 0 OR source = 'agent')),
    CONSTRAINT cost_event_source_check CHECK (source IN ('gateway', 'reservation', 'agent', 'board'))
);
CREATE INDEX cost_event_company_id_run_id_idx ON cost_event(company_id, run_id);
CREATE UNIQUE INDEX cost_event_company_id_idempotency_key_key ON cost_event(company_id, idempotency_key);
-- Contains every column of the reports, so that they do not read the table: a report of a year may add up a million
-- events.
CREATE INDEX cost_event_reported ON cost_event(company_id, created_at, id)
  INCLUDE (agent_id, issue_id, project_id, run_id, provider, model, cost_cents, input_tokens, output_tokens, unpriced);
CREATE INDEX cost_event_of_issue ON cost_event(company_id, issue_id) WHERE issue_id IS NOT NULL;
-- Few events are disputed; reports add them up with this index.
CREATE INDEX cost_event_disputed ON cost_event(company_id, created_at) INCLUDE (agent_id, disputed_cents)
  WHERE disputed_cents > 0;

CREATE TABLE company_month (
    company_id UUID NOT NULL,
    month DATE NOT NULL,
    soft_alerted_at TIMESTAMPTZ(6),
    hard_stopped_at TIMESTAMPTZ(6),
    CONSTRAINT company_month_pkey PRIMARY KEY (company_id,month)
);

CREATE TABLE issue_document (
    id UUID NOT NULL,
    company_id UUID NOT NULL,
    issue_id UUID NOT NULL,
    key TEXT NOT NULL,
    latest_revision_id UUID NOT NULL,
    latest_revision_number INTEGER NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT issue_document_pkey PRIMARY KEY (id)
);
CREATE INDEX issue_document_issue_id_created_at_id_idx ON issue_document(issue_id, created_at, id);
CREATE UNIQUE INDEX issue_document_company_id_id_key ON issue_document(company_id, id);
CREATE UNIQUE INDEX issue_document_issue_id_key_key ON issue_document(issue_id, key);

CREATE TABLE document_revision (
    id UUID NOT NULL,
    company_id UUID NOT NULL,
    document_id UUID NOT NULL,
    revision_number INTEGER NOT NULL,
    title TEXT NOT NULL,
    format TEXT NOT NULL,
    body TEXT NOT NULL,
    created_by_agent_id UUID,
    created_by_user_id TEXT,
    created_by_run_id UUID,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT document_revision_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX document_revision_document_id_revision_number_key ON document_revision(document_id, revision_number);

CREATE TABLE goal (
    id UUID NOT NULL,
    company_id UUID NOT NULL,
    title TEXT NOT NULL,
    description TEXT,
    level TEXT NOT NULL DEFAULT 'task',
    status TEXT NOT NULL DEFAULT 'planned',
    parent_id UUID,
    owner_agent_id UUID,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT goal_pkey PRIMARY KEY (id),
    CONSTRAINT goal_level_check CHECK (level IN ('company', 'team', 'agent', 'task')),
    CONSTRAINT goal_status_check CHECK (status IN ('planned', 'active', 'achieved', 'cancelled'))
);
CREATE INDEX goal_company_id_created_at_id_idx ON goal(company_id, created_at, id);
CREATE INDEX goal_company_id_parent_id_idx ON goal(company_id, parent_id);
CREATE UNIQUE INDEX goal_company_id_id_key ON goal(company_id, id);

-- Runs start in the order of this time. The head start of a priority is constant, so the order of two queued runs never
-- changes and an index can keep it. A run with a low priority waits at most 24 hours longer.
CREATE FUNCTION run_starts_by(created_at TIMESTAMPTZ, not_before TIMESTAMPTZ, priority_rank INTEGER)
RETURNS TIMESTAMPTZ LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT greatest(created_at, not_before) + CASE priority_rank
    WHEN 0 THEN interval '0 hours' WHEN 1 THEN interval '12 hours'
    WHEN 2 THEN interval '20 hours' ELSE interval '24 hours' END
$$;

CREATE TABLE heartbeat_run (
    id UUID NOT NULL,
    company_id UUID NOT NULL,
    agent_id UUID NOT NULL,
    status TEXT NOT NULL DEFAULT 'queued',
    source TEXT NOT NULL,
    wake_reasons JSONB NOT NULL DEFAULT '[]',
    issue_id UUID,
    routine_run_id UUID,
    retry_of_run_id UUID,
    hops INTEGER NOT NULL DEFAULT 0,
    retries INTEGER NOT NULL DEFAULT 0,
    attempt INTEGER NOT NULL DEFAULT 1,
    epoch INTEGER NOT NULL DEFAULT 0,
    not_before TIMESTAMPTZ(3),
    hinted_at TIMESTAMPTZ(3),
    worker_id TEXT,
    lease_expires_at TIMESTAMPTZ(6),
    cancel_requested_at TIMESTAMPTZ(6),
    cancel_reason TEXT,
    started_at TIMESTAMPTZ(6),
    finished_at TIMESTAMPTZ(6),
    exit_code INTEGER,
    error_code TEXT,
    error TEXT,
    input_tokens BIGINT NOT NULL DEFAULT 0,
    output_tokens BIGINT NOT NULL DEFAULT 0,
    cost_cents BIGINT NOT NULL DEFAULT 0,
    log_bytes INTEGER NOT NULL DEFAULT 0,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    unpriced_events INTEGER NOT NULL DEFAULT 0,
    correlation_id VARCHAR(128),
    trace_context VARCHAR(55),
    is_detached BOOLEAN NOT NULL DEFAULT false,
    retried_by_run_id UUID,
    runner_instance UUID,
    ticket_hash BYTEA,
    usage_seq INTEGER NOT NULL DEFAULT 0,
    adapter_type TEXT,
    next_seq INTEGER NOT NULL DEFAULT 0,
    losses INTEGER NOT NULL DEFAULT 0,
    -- Triggers use this flag to skip rows without a callback, instead of reading `delivery`.
    has_callback BOOLEAN NOT NULL DEFAULT false,
    priority_rank INTEGER NOT NULL DEFAULT 2,
    CONSTRAINT heartbeat_run_pkey PRIMARY KEY (id),
    CONSTRAINT heartbeat_run_status_check CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'timed_out', 'cancelled')),
    CONSTRAINT heartbeat_run_finished_check CHECK ((status IN ('queued', 'running')) = (finished_at IS NULL))
);
CREATE INDEX heartbeat_run_company_id_created_at_id_idx ON heartbeat_run(company_id, created_at, id);
CREATE INDEX heartbeat_run_company_id_status_created_at_id_idx ON heartbeat_run(company_id, status, created_at, id);
CREATE INDEX heartbeat_run_agent_id_status_created_at_id_idx ON heartbeat_run(agent_id, status, created_at, id);
CREATE INDEX heartbeat_run_company_id_issue_id_created_at_id_idx ON heartbeat_run(company_id, issue_id, created_at, id);
CREATE INDEX heartbeat_run_company_id_source_created_at_id_idx ON heartbeat_run(company_id, source, created_at, id);
CREATE UNIQUE INDEX heartbeat_run_company_id_id_key ON heartbeat_run(company_id, id);
-- An agent has at most one queued run; further wakes join it.
CREATE UNIQUE INDEX heartbeat_run_one_queued ON heartbeat_run(agent_id) WHERE status = 'queued';
CREATE INDEX heartbeat_run_running ON heartbeat_run(agent_id) WHERE status = 'running';
CREATE INDEX heartbeat_run_lease ON heartbeat_run(lease_expires_at) WHERE status = 'running';
CREATE INDEX heartbeat_run_waiting ON heartbeat_run(hinted_at) WHERE status = 'queued';
-- Queued and running runs of an issue.
CREATE INDEX heartbeat_run_live_issue ON heartbeat_run(company_id, issue_id, status)
  WHERE status IN ('queued', 'running') AND issue_id IS NOT NULL;
-- The few runs that serve several wakes, by the issues of these wakes.
CREATE INDEX heartbeat_run_of_merged_wakes ON heartbeat_run
  USING gin (jsonb_path_query_array(wake_reasons, '$[*].issueId') jsonb_path_ops)
  WHERE jsonb_array_length(wake_reasons) > 1;
CREATE INDEX heartbeat_run_of_error ON heartbeat_run(company_id, error_code, created_at, id)
  WHERE error_code IS NOT NULL;
-- The latest failed run per error code.
CREATE INDEX heartbeat_run_failed ON heartbeat_run(company_id, coalesce(error_code, 'unknown'), created_at, id)
  WHERE status IN ('failed', 'timed_out');
CREATE INDEX heartbeat_run_retry ON heartbeat_run(company_id, retry_of_run_id) WHERE retry_of_run_id IS NOT NULL;
CREATE INDEX heartbeat_run_of_runner ON heartbeat_run(runner_instance) WHERE status = 'running' AND runner_instance IS NOT NULL;
-- Queued runs of a company in the order in which they start. The index contains `not_before`, so that a claim skips runs
-- that are not due without reading their rows.
CREATE INDEX heartbeat_run_claim_order ON heartbeat_run(company_id,
  run_starts_by(created_at, not_before, priority_rank), id, coalesce(not_before, '-infinity'::timestamptz))
  WHERE status = 'queued';
CREATE INDEX heartbeat_run_retried_by ON heartbeat_run(company_id, retried_by_run_id)
  WHERE retried_by_run_id IS NOT NULL;

CREATE TABLE run_log_chunk (
    company_id UUID NOT NULL,
    run_id UUID NOT NULL,
    start_offset INTEGER NOT NULL,
    content BYTEA NOT NULL,
    written_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT run_log_chunk_pkey PRIMARY KEY (run_id,start_offset)
);

CREATE TABLE agent_wakeup (
    id UUID NOT NULL,
    company_id UUID NOT NULL,
    agent_id UUID NOT NULL,
    source TEXT NOT NULL,
    reason TEXT,
    issue_id UUID,
    comment_id UUID,
    payload JSONB,
    hops INTEGER NOT NULL DEFAULT 0,
    status TEXT NOT NULL DEFAULT 'pending',
    skip_reason TEXT,
    run_id UUID,
    hinted_at TIMESTAMPTZ(3),
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    routine_run_id UUID,
    correlation_id VARCHAR(128),
    trace_context VARCHAR(55),
    CONSTRAINT agent_wakeup_pkey PRIMARY KEY (id),
    CONSTRAINT agent_wakeup_status_check CHECK (status IN ('pending', 'admitted', 'skipped'))
);
CREATE INDEX agent_wakeup_company_id_agent_id_idx ON agent_wakeup(company_id, agent_id);
CREATE INDEX agent_wakeup_company_id_routine_run_id_created_at_id_idx ON agent_wakeup(company_id, routine_run_id, created_at, id);
CREATE INDEX agent_wakeup_pending ON agent_wakeup(created_at) WHERE status = 'pending';
-- Decided wakes by age, for retention.
CREATE INDEX agent_wakeup_decided ON agent_wakeup(created_at) WHERE status <> 'pending' AND routine_run_id IS NULL;

-- Inbox items that a person has hidden until a time or, if it is null, until the item changes. No foreign keys: the person
-- may be `local-board`, and items are computed.
CREATE TABLE hidden_inbox_item (
    company_id UUID NOT NULL,
    user_id TEXT NOT NULL,
    item_id TEXT NOT NULL,
    happened_at TIMESTAMPTZ(6) NOT NULL,
    fingerprint TEXT NOT NULL,
    until TIMESTAMPTZ(3),
    hidden_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT hidden_inbox_item_pkey PRIMARY KEY (company_id,user_id,item_id)
);

-- Errors that the latest check of each agent found.
CREATE TABLE agent_last_check (
    company_id UUID NOT NULL,
    agent_id UUID NOT NULL,
    errors JSONB NOT NULL,
    checked_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT agent_last_check_pkey PRIMARY KEY (agent_id)
);
CREATE UNIQUE INDEX agent_last_check_company_id_agent_id_key ON agent_last_check(company_id, agent_id);

CREATE TABLE issue (
    id UUID NOT NULL,
    company_id UUID NOT NULL,
    issue_number INTEGER NOT NULL,
    identifier TEXT NOT NULL,
    title TEXT NOT NULL,
    description TEXT,
    status TEXT NOT NULL DEFAULT 'backlog',
    priority TEXT NOT NULL DEFAULT 'medium',
    priority_rank INTEGER NOT NULL DEFAULT 2,
    assignee_agent_id UUID,
    parent_id UUID,
    project_id UUID,
    goal_id UUID,
    billing_code TEXT,
    checkout_run_id UUID,
    checked_out_at TIMESTAMPTZ(3),
    started_at TIMESTAMPTZ(3),
    completed_at TIMESTAMPTZ(3),
    created_by_agent_id UUID,
    created_by_user_id TEXT,
    origin_routine_run_id UUID,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    cancelled_at TIMESTAMPTZ(3),
    due_date DATE,
    assignee_user_id TEXT,
    checkout_user_id TEXT,
    board_mention_comment_id UUID,
    status_since TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    -- Number of changes to the fields that clients write; a writer can require the revision that it has read.
    revision INTEGER NOT NULL DEFAULT 1,
    has_callback BOOLEAN NOT NULL DEFAULT false,
    CONSTRAINT issue_pkey PRIMARY KEY (id),
    CONSTRAINT issue_status_check CHECK (status IN ('backlog', 'todo', 'in_progress', 'in_review', 'blocked', 'done', 'cancelled')),
    CONSTRAINT issue_priority_check CHECK (priority_rank = array_position(ARRAY['critical', 'high', 'medium', 'low'], priority) - 1),
    CONSTRAINT issue_lock_check CHECK (checkout_run_id IS NULL OR status = 'in_progress'),
    CONSTRAINT issue_assignee_check CHECK (assignee_agent_id IS NULL OR assignee_user_id IS NULL),
    -- Only an issue in progress is checked out, by a run or by the person who is its assignee.
    CONSTRAINT issue_hold_check CHECK (checkout_user_id IS NULL OR (
      status = 'in_progress' AND checkout_run_id IS NULL AND assignee_user_id IS NOT NULL
      AND checkout_user_id = assignee_user_id))
);
CREATE UNIQUE INDEX issue_identifier_key ON issue(identifier);
CREATE INDEX issue_company_id_priority_rank_created_at_id_idx ON issue(company_id, priority_rank, created_at, id);
CREATE INDEX issue_company_id_status_priority_rank_created_at_id_idx ON issue(company_id, status, priority_rank, created_at, id);
CREATE INDEX issue_list_of_assignee ON issue(company_id, assignee_agent_id, status, priority_rank, created_at, id);
CREATE INDEX issue_list_of_project ON issue(company_id, project_id, status, priority_rank, created_at, id);
CREATE INDEX issue_list_of_assignee_and_project ON issue(company_id, assignee_agent_id, project_id, status, priority_rank, created_at, id);
CREATE INDEX issue_list_of_parent ON issue(company_id, parent_id, status, priority_rank, created_at, id);
CREATE INDEX issue_list_of_goal ON issue(company_id, goal_id, status, priority_rank, created_at, id);
-- In every sort order, the list of issues reads one status after another, so the status precedes the sort key.
CREATE INDEX issue_list_by_update ON issue(company_id, status, updated_at, id);
CREATE INDEX issue_list_by_creation ON issue(company_id, status, created_at, id);
CREATE INDEX issue_checkout_run_id_idx ON issue(checkout_run_id);
CREATE UNIQUE INDEX issue_company_id_id_key ON issue(company_id, id);
CREATE UNIQUE INDEX issue_company_id_issue_number_key ON issue(company_id, issue_number);
-- Issues without a due date come last.
CREATE INDEX issue_list_by_due_date ON issue(company_id, status, (coalesce(due_date, 'infinity'::date)), priority_rank, created_at, id);
-- When an issue ends, its parent's open children are looked up.
CREATE INDEX issue_open_children ON issue(parent_id)
  WHERE parent_id IS NOT NULL AND status NOT IN ('done', 'cancelled');
CREATE INDEX issue_list_of_person ON issue(company_id, assignee_user_id, status, priority_rank, created_at, id)
  WHERE assignee_user_id IS NOT NULL;
CREATE INDEX issue_board_mention ON issue(company_id, board_mention_comment_id) WHERE board_mention_comment_id IS NOT NULL;
-- The inbox reads here which issues wait for a child.
CREATE INDEX issue_under_way_children ON issue(company_id, parent_id)
  WHERE parent_id IS NOT NULL AND status IN ('todo', 'in_progress', 'in_review', 'blocked');
-- A page of the inbox reads only its own issues, oldest first, instead of sorting all that are blocked or in review.
CREATE INDEX issue_awaiting_person ON issue(company_id, status, status_since, id)
  WHERE status IN ('blocked', 'in_review');

-- `issue_id` waits until `blocker_id` ends. Both foreign keys contain the company, so that an issue cannot wait for an
-- issue of another company.
CREATE TABLE issue_blocker (
    company_id UUID NOT NULL,
    issue_id UUID NOT NULL,
    blocker_id UUID NOT NULL,
    hops INTEGER NOT NULL DEFAULT 0,
    CONSTRAINT issue_blocker_pkey PRIMARY KEY (issue_id,blocker_id),
    CONSTRAINT issue_blocker_self_check CHECK (issue_id <> blocker_id)
);
CREATE INDEX issue_blocker_company_id_blocker_id_idx ON issue_blocker(company_id, blocker_id);

CREATE TABLE issue_comment (
    id UUID NOT NULL,
    company_id UUID NOT NULL,
    issue_id UUID NOT NULL,
    body TEXT NOT NULL,
    mentions JSONB NOT NULL DEFAULT '[]',
    author_agent_id UUID,
    author_user_id TEXT,
    created_by_run_id UUID,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    -- Outcomes of the wakes that a person's comment caused without a mention.
    woken JSONB NOT NULL DEFAULT '[]',
    CONSTRAINT issue_comment_pkey PRIMARY KEY (id)
);
CREATE INDEX issue_comment_issue_id_created_at_id_idx ON issue_comment(issue_id, created_at, id);
CREATE UNIQUE INDEX issue_comment_company_id_id_key ON issue_comment(company_id, id);

-- Number of issues per status of each project, goal and assignee.
CREATE TABLE issue_tally (
    company_id UUID NOT NULL,
    owner_id UUID NOT NULL,
    status TEXT NOT NULL,
    n INTEGER NOT NULL,
    CONSTRAINT issue_tally_pkey PRIMARY KEY (company_id,owner_id,status)
);

-- Changes that are not yet added to `issue_tally`; see `status_change`.
CREATE TABLE issue_tally_change (
    company_id UUID NOT NULL,
    owner_id UUID NOT NULL,
    id BIGSERIAL NOT NULL,
    status TEXT NOT NULL,
    n INTEGER NOT NULL,
    CONSTRAINT issue_tally_change_pkey PRIMARY KEY (company_id,owner_id,id)
);

-- `key` is the normalised name, by which names are compared.
CREATE TABLE label (
    id UUID NOT NULL,
    company_id UUID NOT NULL,
    name TEXT NOT NULL,
    key TEXT NOT NULL,
    color TEXT,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT label_pkey PRIMARY KEY (id)
);
CREATE INDEX label_company_id_created_at_id_idx ON label(company_id, created_at, id);
CREATE UNIQUE INDEX label_company_id_id_key ON label(company_id, id);
CREATE UNIQUE INDEX label_company_id_key_key ON label(company_id, key);

CREATE TABLE issue_label (
    company_id UUID NOT NULL,
    issue_id UUID NOT NULL,
    label_id UUID NOT NULL,
    CONSTRAINT issue_label_pkey PRIMARY KEY (issue_id,label_id)
);
CREATE INDEX issue_label_company_id_label_id_issue_id_idx ON issue_label(company_id, label_id, issue_id);

CREATE TABLE person (
    id UUID NOT NULL,
    email TEXT NOT NULL,
    name TEXT NOT NULL,
    password_hash TEXT,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    is_administrator BOOLEAN NOT NULL DEFAULT false,
    password_changed_at TIMESTAMPTZ(3),
    -- Null for a password that the person chose.
    password_expires_at TIMESTAMPTZ(3),
    provider_issuer TEXT,
    provider_subject TEXT,
    CONSTRAINT person_pkey PRIMARY KEY (id),
    CONSTRAINT person_email_check CHECK (email = lower(email))
);
CREATE UNIQUE INDEX person_email_key ON person(email);
CREATE UNIQUE INDEX person_provider_issuer_provider_subject_key ON person(provider_issuer, provider_subject);

CREATE TABLE session (
    hash BYTEA NOT NULL,
    id UUID NOT NULL,
    user_id UUID NOT NULL,
    user_agent TEXT,
    address TEXT,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    last_seen_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    expires_at TIMESTAMPTZ(3) NOT NULL,
    -- Null until the person enters the password again after signing in.
    confirmed_at TIMESTAMPTZ(3),
    provider_session TEXT,
    CONSTRAINT session_pkey PRIMARY KEY (hash)
);
CREATE UNIQUE INDEX session_id_key ON session(id);
CREATE INDEX session_user_id_created_at_id_idx ON session(user_id, created_at, id);
CREATE INDEX session_expires_at_idx ON session(expires_at);

CREATE TABLE membership (
    id UUID NOT NULL,
    company_id UUID NOT NULL,
    user_id UUID NOT NULL,
    role TEXT NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT membership_pkey PRIMARY KEY (id),
    CONSTRAINT membership_role_check CHECK (role IN ('owner', 'operator', 'viewer'))
);
CREATE INDEX membership_user_id_idx ON membership(user_id);
CREATE INDEX membership_company_id_created_at_id_idx ON membership(company_id, created_at, id);
CREATE UNIQUE INDEX membership_company_id_user_id_key ON membership(company_id, user_id);

CREATE TABLE personal_token (
    id UUID NOT NULL,
    user_id UUID NOT NULL,
    company_id UUID,
    name TEXT NOT NULL,
    scope TEXT NOT NULL,
    prefix TEXT NOT NULL,
    hash BYTEA NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    expires_at TIMESTAMPTZ(3) NOT NULL,
    last_used_at TIMESTAMPTZ(3),
    recorded_addresses TEXT[] DEFAULT ARRAY[]::TEXT[],
    recorded_since TIMESTAMPTZ(3),
    CONSTRAINT personal_token_pkey PRIMARY KEY (id),
    CONSTRAINT personal_token_scope_check CHECK (scope IN ('read', 'write'))
);
CREATE UNIQUE INDEX personal_token_hash_key ON personal_token(hash);
CREATE INDEX personal_token_user_id_created_at_id_idx ON personal_token(user_id, created_at, id);
CREATE INDEX personal_token_company_id_user_id_idx ON personal_token(company_id, user_id);
CREATE INDEX personal_token_expires_at_idx ON personal_token(expires_at);

CREATE TABLE invite (
    id UUID NOT NULL,
    company_id UUID NOT NULL,
    token_hash BYTEA NOT NULL,
    email TEXT,
    role TEXT NOT NULL,
    created_by_user_id TEXT NOT NULL,
    expires_at TIMESTAMPTZ(3) NOT NULL,
    accepted_at TIMESTAMPTZ(3),
    accepted_by_user_id UUID,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT invite_pkey PRIMARY KEY (id),
    CONSTRAINT invite_role_check CHECK (role IN ('owner', 'operator', 'viewer')),
    CONSTRAINT invite_accepted_check CHECK ((accepted_at IS NULL) = (accepted_by_user_id IS NULL))
);
CREATE UNIQUE INDEX invite_token_hash_key ON invite(token_hash);
CREATE INDEX invite_company_id_created_at_id_idx ON invite(company_id, created_at, id);
CREATE INDEX invite_accepted_by_user_id_idx ON invite(accepted_by_user_id);

CREATE TABLE bootstrap_token (
    token_hash BYTEA NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT bootstrap_token_pkey PRIMARY KEY (token_hash)
);

CREATE TABLE project (
    id UUID NOT NULL,
    company_id UUID NOT NULL,
    name TEXT NOT NULL,
    description TEXT,
    status TEXT NOT NULL DEFAULT 'planned',
    lead_agent_id UUID,
    target_date DATE,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT project_pkey PRIMARY KEY (id),
    CONSTRAINT project_status_check CHECK (status IN ('backlog', 'planned', 'in_progress', 'completed', 'cancelled'))
);
CREATE INDEX project_company_id_created_at_id_idx ON project(company_id, created_at, id);
CREATE UNIQUE INDEX project_company_id_id_key ON project(company_id, id);

CREATE TABLE project_goal (
    company_id UUID NOT NULL,
    project_id UUID NOT NULL,
    goal_id UUID NOT NULL,
    position INTEGER NOT NULL DEFAULT 0,
    CONSTRAINT project_goal_pkey PRIMARY KEY (project_id,goal_id)
);
CREATE INDEX project_goal_company_id_goal_id_idx ON project_goal(company_id, goal_id);

CREATE TABLE workspace (
    id UUID NOT NULL,
    company_id UUID NOT NULL,
    project_id UUID NOT NULL,
    name TEXT NOT NULL,
    cwd TEXT,
    repo_url TEXT,
    repo_ref TEXT,
    is_primary BOOLEAN NOT NULL DEFAULT false,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    repo_secret_id UUID,
    repo_secret_version INTEGER,
    -- Null for a workspace that the board created; agents cannot change it.
    created_by_agent_id UUID,
    CONSTRAINT workspace_pkey PRIMARY KEY (id),
    CONSTRAINT workspace_place_check CHECK (cwd IS NOT NULL OR repo_url IS NOT NULL),
    -- A credential needs an address: a token for https, a private key for ssh.
    CONSTRAINT workspace_credential_check CHECK (repo_secret_id IS NULL OR repo_url IS NOT NULL),
    CONSTRAINT workspace_credential_version_check CHECK (repo_secret_version IS NULL OR repo_secret_id IS NOT NULL)
);
CREATE INDEX workspace_company_id_project_id_created_at_id_idx ON workspace(company_id, project_id, created_at, id);
CREATE INDEX workspace_company_id_repo_secret_id_idx ON workspace(company_id, repo_secret_id);
CREATE UNIQUE INDEX workspace_one_primary ON workspace(project_id) WHERE is_primary;
CREATE UNIQUE INDEX workspace_company_id_id_key ON workspace(company_id, id);

CREATE TABLE routine (
    id UUID NOT NULL,
    company_id UUID NOT NULL,
    title TEXT NOT NULL,
    description TEXT,
    assignee_agent_id UUID NOT NULL,
    project_id UUID NOT NULL,
    goal_id UUID,
    parent_issue_id UUID,
    priority TEXT NOT NULL DEFAULT 'medium',
    status TEXT NOT NULL DEFAULT 'active',
    concurrency_policy TEXT NOT NULL DEFAULT 'coalesce_if_active',
    catch_up_policy TEXT NOT NULL DEFAULT 'skip_missed',
    created_by_agent_id UUID,
    created_by_user_id TEXT,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT routine_pkey PRIMARY KEY (id),
    CONSTRAINT routine_status_check CHECK (status IN ('active', 'paused', 'archived')),
    CONSTRAINT routine_priority_check CHECK (priority IN ('critical', 'high', 'medium', 'low')),
    CONSTRAINT routine_policy_check CHECK (concurrency_policy IN ('coalesce_if_active', 'skip_if_active', 'always_enqueue') AND catch_up_policy IN ('skip_missed', 'enqueue_missed_with_cap'))
);
CREATE INDEX routine_company_id_created_at_id_idx ON routine(company_id, created_at, id);
CREATE INDEX routine_company_id_assignee_agent_id_idx ON routine(company_id, assignee_agent_id);
CREATE UNIQUE INDEX routine_company_id_id_key ON routine(company_id, id);

CREATE TABLE routine_trigger (
    id UUID NOT NULL,
    company_id UUID NOT NULL,
    routine_id UUID NOT NULL,
    kind TEXT NOT NULL,
    label TEXT,
    enabled BOOLEAN NOT NULL DEFAULT true,
    cron_expression TEXT,
    timezone TEXT,
    next_run_at TIMESTAMPTZ(3),
    last_fired_at TIMESTAMPTZ(3),
    public_id TEXT,
    signing_mode TEXT,
    replay_window_sec INTEGER,
    secret_version INTEGER NOT NULL DEFAULT 0,
    secret_key_id UUID,
    secret_ciphertext BYTEA,
    failure_count INTEGER NOT NULL DEFAULT 0,
    failure_reason TEXT,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    made_by_agent BOOLEAN NOT NULL DEFAULT false,
    CONSTRAINT routine_trigger_pkey PRIMARY KEY (id),
    CONSTRAINT routine_trigger_kind_check CHECK (kind IN ('schedule', 'webhook', 'api')),
    CONSTRAINT routine_trigger_schedule_check CHECK ((kind = 'schedule') = (cron_expression IS NOT NULL) AND (kind = 'schedule') = (timezone IS NOT NULL) AND (kind = 'schedule' OR next_run_at IS NULL)),
    CONSTRAINT routine_trigger_webhook_check CHECK ((kind = 'webhook') = (public_id IS NOT NULL) AND (kind = 'webhook') = (signing_mode IS NOT NULL) AND (kind = 'webhook') = (replay_window_sec IS NOT NULL) AND (kind = 'webhook') = (secret_ciphertext IS NOT NULL) AND (kind = 'webhook') = (secret_key_id IS NOT NULL))
);
CREATE UNIQUE INDEX routine_trigger_public_id_key ON routine_trigger(public_id);
CREATE INDEX routine_trigger_company_id_routine_id_created_at_id_idx ON routine_trigger(company_id, routine_id, created_at, id);
CREATE INDEX routine_trigger_company_id_secret_key_id_idx ON routine_trigger(company_id, secret_key_id);
CREATE UNIQUE INDEX routine_trigger_company_id_id_key ON routine_trigger(company_id, id);
-- Due triggers in order; each worker reads it twice a second.
CREATE INDEX routine_trigger_due ON routine_trigger(next_run_at) WHERE next_run_at IS NOT NULL;

CREATE TABLE routine_run (
    id UUID NOT NULL,
    company_id UUID NOT NULL,
    routine_id UUID NOT NULL,
    trigger_id UUID,
    source TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'pending',
    scheduled_for TIMESTAMPTZ(3),
    triggered_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    payload JSONB,
    idempotency_key TEXT,
    linked_issue_id UUID,
    active_run_id UUID,
    failure_reason TEXT,
    attempts INTEGER NOT NULL DEFAULT 0,
    hinted_at TIMESTAMPTZ(3),
    completed_at TIMESTAMPTZ(3),
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    -- Facts from the headers of a webhook request: `{ event, id, retry }`.
    delivery JSONB,
    has_callback BOOLEAN NOT NULL DEFAULT false,
    CONSTRAINT routine_run_pkey PRIMARY KEY (id),
    CONSTRAINT routine_run_source_check CHECK (source IN ('schedule', 'webhook', 'api', 'manual')),
    CONSTRAINT routine_run_status_check CHECK (status IN ('pending', 'issue_created', 'completed', 'failed', 'cancelled', 'coalesced', 'skipped')),
    CONSTRAINT routine_run_linked_check CHECK (status NOT IN ('issue_created', 'completed') OR linked_issue_id IS NOT NULL),
    CONSTRAINT routine_run_joined_check CHECK ((status IN ('coalesced', 'skipped')) = (active_run_id IS NOT NULL)),
    CONSTRAINT routine_run_completed_check CHECK ((status IN ('pending', 'issue_created')) = (completed_at IS NULL))
);
CREATE INDEX routine_run_company_id_routine_id_created_at_id_idx ON routine_run(company_id, routine_id, created_at, id);
CREATE INDEX routine_run_company_id_linked_issue_id_idx ON routine_run(company_id, linked_issue_id);
CREATE INDEX routine_run_company_id_active_run_id_idx ON routine_run(company_id, active_run_id);
CREATE UNIQUE INDEX routine_run_company_id_id_key ON routine_run(company_id, id);
CREATE UNIQUE INDEX routine_run_trigger_id_scheduled_for_key ON routine_run(trigger_id, scheduled_for);
CREATE UNIQUE INDEX routine_run_routine_id_idempotency_key_key ON routine_run(routine_id, idempotency_key);
-- Firings that no worker has processed.
CREATE INDEX routine_run_pending ON routine_run(created_at) WHERE status = 'pending';
-- Active runs of a routine, for the concurrency policy.
CREATE INDEX routine_run_active ON routine_run(routine_id, created_at) WHERE status = 'issue_created';

CREATE TABLE webhook_signature (
    company_id UUID NOT NULL,
    trigger_id UUID NOT NULL,
    digest BYTEA NOT NULL,
    expires_at TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT webhook_signature_pkey PRIMARY KEY (trigger_id,digest)
);
CREATE INDEX webhook_signature_expires_at_idx ON webhook_signature(expires_at);

CREATE TABLE runner (
    id UUID NOT NULL,
    company_id UUID NOT NULL,
    name TEXT NOT NULL,
    labels TEXT[] DEFAULT ARRAY[]::TEXT[],
    token_hash BYTEA NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    revoked_at TIMESTAMPTZ(3),
    last_seen_at TIMESTAMPTZ(3),
    name_key TEXT NOT NULL,
    CONSTRAINT runner_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX runner_token_hash_key ON runner(token_hash);
CREATE INDEX runner_company_id_created_at_id_idx ON runner(company_id, created_at, id);
CREATE UNIQUE INDEX runner_id_company_id_key ON runner(id, company_id);
CREATE UNIQUE INDEX runner_name_key_key ON runner(company_id, name_key) WHERE revoked_at IS NULL;

-- One row per start of a runner. `runner_id` is null if it uses the token of the installation.
CREATE TABLE runner_instance (
    id UUID NOT NULL,
    company_id UUID,
    runner_id UUID,
    name TEXT NOT NULL,
    labels TEXT[] DEFAULT ARRAY[]::TEXT[],
    capacity INTEGER NOT NULL,
    sandbox_driver TEXT NOT NULL,
    sandbox_detail TEXT NOT NULL DEFAULT '',
    probes JSONB NOT NULL DEFAULT '[]',
    began_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    last_seen_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    replaced_at TIMESTAMPTZ(3),
    CONSTRAINT runner_instance_pkey PRIMARY KEY (id)
);
CREATE INDEX runner_instance_company_id_runner_id_idx ON runner_instance(company_id, runner_id);
CREATE INDEX runner_instance_last_seen_at_idx ON runner_instance(last_seen_at);
-- At most one present runner per token and name.
CREATE UNIQUE INDEX runner_instance_present ON runner_instance(coalesce(runner_id, '00000000-0000-0000-0000-000000000000'), name) WHERE replaced_at IS NULL;

-- Screens of the console with their filters. No foreign key for the person, who may be `local-board`.
CREATE TABLE saved_view (
    id UUID NOT NULL,
    company_id UUID NOT NULL,
    user_id TEXT NOT NULL,
    name TEXT NOT NULL,
    screen TEXT NOT NULL,
    query TEXT NOT NULL,
    is_shared BOOLEAN NOT NULL DEFAULT false,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    name_key TEXT NOT NULL,
    CONSTRAINT saved_view_pkey PRIMARY KEY (id)
);
CREATE INDEX saved_view_company_id_created_at_id_idx ON saved_view(company_id, created_at, id);
CREATE UNIQUE INDEX saved_view_name_key_key ON saved_view(company_id, user_id, screen, name_key);

-- One row per searchable issue, comment, document, agent and project. A separate table because an index on an expression
-- would compute all words again for every page.
CREATE TABLE search_entry (
    company_id UUID NOT NULL,
    kind TEXT NOT NULL,
    entity_id UUID NOT NULL,
    at TIMESTAMPTZ(3) NOT NULL,
    title_words tsvector,
    words tsvector NOT NULL,
    CONSTRAINT search_entry_pkey PRIMARY KEY (entity_id,kind)
);
-- For frequent words: reads the newest entries until enough of them match.
CREATE INDEX search_entry_company_id_kind_at_entity_id_idx ON search_entry(company_id, kind, at, entity_id);
-- For rare words. Without fastupdate, because a writer would occasionally have to merge the whole pending list.
CREATE INDEX search_entry_words ON search_entry USING GIN (words) WITH (fastupdate = off);
CREATE INDEX search_entry_title_words ON search_entry USING GIN (title_words) WITH (fastupdate = off) WHERE title_words IS NOT NULL;

-- Rows whose search entry is out of date. Computing the words of a long text takes longer than the rest of the write, so
-- workers update the entries, and a search updates those of its company first.
CREATE TABLE search_change (
    company_id UUID NOT NULL,
    id BIGSERIAL NOT NULL,
    kind TEXT NOT NULL,
    entity_id UUID NOT NULL,
    CONSTRAINT search_change_pkey PRIMARY KEY (company_id,id)
);

CREATE TABLE secret_key (
    id UUID NOT NULL,
    company_id UUID NOT NULL,
    master_key_id TEXT NOT NULL,
    wrapped_key BYTEA NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT secret_key_pkey PRIMARY KEY (id)
);
CREATE INDEX secret_key_master_key_id_idx ON secret_key(master_key_id);
CREATE UNIQUE INDEX secret_key_company_id_id_key ON secret_key(company_id, id);

CREATE TABLE secret (
    id UUID NOT NULL,
    company_id UUID NOT NULL,
    name TEXT NOT NULL,
    description TEXT,
    latest_version INTEGER NOT NULL DEFAULT 1,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    created_by_user_id TEXT,
    name_key TEXT NOT NULL,
    CONSTRAINT secret_pkey PRIMARY KEY (id),
    CONSTRAINT secret_latest_version_check CHECK (latest_version >= 1)
);
CREATE INDEX secret_company_id_created_at_id_idx ON secret(company_id, created_at, id);
CREATE UNIQUE INDEX secret_company_id_id_key ON secret(company_id, id);
CREATE UNIQUE INDEX secret_company_id_name_key_key ON secret(company_id, name_key);

CREATE TABLE secret_version (
    company_id UUID NOT NULL,
    secret_id UUID NOT NULL,
    version INTEGER NOT NULL,
    key_id UUID NOT NULL,
    ciphertext BYTEA NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT secret_version_pkey PRIMARY KEY (secret_id,version),
    CONSTRAINT secret_version_version_check CHECK (version >= 1)
);
CREATE INDEX secret_version_company_id_key_id_idx ON secret_version(company_id, key_id);

-- Spend of each agent per day, provider and model. Reports add up these rows instead of events.
CREATE TABLE cost_day (
    company_id UUID NOT NULL,
    -- UTC day of the event's `created_at`.
    day DATE NOT NULL,
    agent_id UUID NOT NULL,
    -- MD5 of provider and model, whose names may be too long for an index.
    named UUID NOT NULL,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    cost_cents BIGINT NOT NULL,
    input_tokens BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    unpriced_events BIGINT NOT NULL,
    events BIGINT NOT NULL,
    CONSTRAINT cost_day_pkey PRIMARY KEY (company_id, day, agent_id, named)
);

-- The latest issue number of a company. A number is taken in a transaction of its own, so that transactions that create
-- issues do not wait for each other. No foreign key: the transaction that creates a company may also create issues.
CREATE TABLE issue_counter (
    company_id UUID PRIMARY KEY,
    last_number INTEGER NOT NULL
);

-- The bytes of a company's text are the sum of its rows. A writer adds to an unlocked row, or inserts one, so that
-- writers do not wait for each other. The number of a company's rows is its highest number of concurrent writers.
CREATE TABLE company_text (
    company_id UUID NOT NULL,
    id UUID NOT NULL DEFAULT gen_random_uuid(),
    bytes BIGINT NOT NULL,
    CONSTRAINT company_text_pkey PRIMARY KEY (company_id, id)
);

-- Requests to callbacks and endpoints, each repeated until the answer is 2xx. A callback waits for the end of its handle.
CREATE TABLE delivery (
    id UUID NOT NULL,
    company_id UUID NOT NULL,
    webhook_id TEXT NOT NULL,
    queue UUID NOT NULL,
    status TEXT NOT NULL DEFAULT 'pending',
    handle_type TEXT,
    handle_id UUID,
    run_id UUID,
    issue_id UUID,
    routine_run_id UUID,
    target_key_id UUID,
    target BYTEA,
    ended_at TIMESTAMPTZ(3),
    ended_status TEXT,
    body TEXT,
    attempts INTEGER NOT NULL DEFAULT 0,
    next_attempt_at TIMESTAMPTZ(3),
    attempted_at TIMESTAMPTZ(3),
    answer_status INTEGER,
    answer TEXT,
    error TEXT,
    duration_ms INTEGER,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    endpoint_id UUID,
    event_type TEXT,
    CONSTRAINT delivery_pkey PRIMARY KEY (id),
    CONSTRAINT delivery_status_check CHECK (status IN ('waiting', 'pending', 'delivered', 'given_up')),
    CONSTRAINT delivery_due_check CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL)),
    CONSTRAINT delivery_handle_check CHECK (status <> 'waiting' OR num_nonnulls(run_id, issue_id, routine_run_id) = 1)
);
CREATE INDEX delivery_company_id_created_at_id_idx ON delivery(company_id, created_at, id);
CREATE INDEX delivery_handle_id_idx ON delivery(handle_id);
CREATE INDEX delivery_company_id_run_id_idx ON delivery(company_id, run_id);
CREATE INDEX delivery_company_id_issue_id_idx ON delivery(company_id, issue_id);
CREATE INDEX delivery_company_id_routine_run_id_idx ON delivery(company_id, routine_run_id);
CREATE INDEX delivery_company_id_target_key_id_idx ON delivery(company_id, target_key_id);
CREATE INDEX delivery_due ON delivery(queue, next_attempt_at, id) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX delivery_ended ON delivery(coalesce(attempted_at, created_at)) WHERE next_attempt_at IS NULL AND status <> 'waiting';
CREATE UNIQUE INDEX delivery_endpoint_id_webhook_id_key ON delivery(endpoint_id, webhook_id);
CREATE INDEX delivery_company_id_endpoint_id_created_at_id_idx ON delivery(company_id, endpoint_id, created_at, id);

-- Webhook endpoints. `event_*` is the position in the event feed up to which deliveries exist.
CREATE TABLE endpoint (
    id UUID NOT NULL,
    company_id UUID NOT NULL,
    description TEXT,
    host TEXT NOT NULL,
    target_key_id UUID NOT NULL,
    target BYTEA NOT NULL,
    secret_version INTEGER NOT NULL DEFAULT 1,
    events TEXT[] DEFAULT ARRAY[]::TEXT[],
    shape TEXT NOT NULL DEFAULT 'standard',
    status TEXT NOT NULL DEFAULT 'enabled',
    disabled_reason TEXT,
    failing_since TIMESTAMPTZ(3),
    event_transaction BIGINT NOT NULL,
    event_sequence BIGINT NOT NULL DEFAULT 0,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT endpoint_pkey PRIMARY KEY (id),
    CONSTRAINT endpoint_status_check CHECK (status IN ('enabled', 'disabled')),
    CONSTRAINT endpoint_shape_check CHECK (shape IN ('standard', 'slack', 'discord', 'telegram'))
);
CREATE UNIQUE INDEX endpoint_company_id_id_key ON endpoint(company_id, id);
CREATE INDEX endpoint_company_id_created_at_id_idx ON endpoint(company_id, created_at, id);
CREATE INDEX endpoint_company_id_target_key_id_idx ON endpoint(company_id, target_key_id);

CREATE TABLE company_turn (
    company_id UUID NOT NULL,
    turn DOUBLE PRECISION NOT NULL,
    CONSTRAINT company_turn_pkey PRIMARY KEY (company_id)
);

CREATE TABLE reservation (
    id UUID NOT NULL,
    company_id UUID NOT NULL,
    agent_id UUID NOT NULL,
    run_id UUID NOT NULL,
    ticket_hash BYTEA NOT NULL,
    cents BIGINT NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    expires_at TIMESTAMPTZ(3) NOT NULL,
    provider TEXT NOT NULL DEFAULT 'unknown',
    model TEXT NOT NULL DEFAULT 'unknown',
    cost_event_id UUID,
    CONSTRAINT reservation_pkey PRIMARY KEY (id),
    CONSTRAINT reservation_cents_check CHECK (cents >= 0)
);
CREATE INDEX reservation_company_id_agent_id_idx ON reservation(company_id, agent_id);
CREATE INDEX reservation_company_id_run_id_idx ON reservation(company_id, run_id);
CREATE INDEX reservation_open ON reservation(company_id) WHERE cents > 0;
CREATE INDEX reservation_expires_at_idx ON reservation(expires_at);

CREATE TABLE budget_pause (
    company_id UUID NOT NULL,
    run_id UUID NOT NULL,
    cents BIGINT NOT NULL,
    checked_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    wakes JSONB,
    CONSTRAINT budget_pause_pkey PRIMARY KEY (run_id)
);
CREATE INDEX budget_pause_checked_at_idx ON budget_pause(checked_at);
CREATE UNIQUE INDEX budget_pause_company_id_run_id_key ON budget_pause(company_id, run_id);

CREATE TABLE deleted_company (
    id UUID NOT NULL,
    deleted_by_user_id TEXT NOT NULL,
    deleted_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    erased_at TIMESTAMPTZ(3),
    CONSTRAINT deleted_company_pkey PRIMARY KEY (id)
);

CREATE TABLE deleted_folder (
    id UUID NOT NULL,
    deleted_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT deleted_folder_pkey PRIMARY KEY (id)
);

CREATE TABLE spend_cap (
    id UUID NOT NULL,
    company_id UUID NOT NULL,
    scope TEXT NOT NULL,
    scope_id UUID NOT NULL,
    period TEXT NOT NULL,
    cents BIGINT NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT spend_cap_pkey PRIMARY KEY (id),
    CONSTRAINT spend_cap_scope_check CHECK (scope IN ('run', 'issue', 'routine', 'project', 'agent', 'company')),
    CONSTRAINT spend_cap_period_check CHECK (period IN ('day', 'week', 'month', 'total')),
    CONSTRAINT spend_cap_cents_check CHECK (cents > 0)
);
CREATE UNIQUE INDEX spend_cap_company_id_scope_scope_id_period_key ON spend_cap(company_id, scope, scope_id, period);
CREATE INDEX spend_cap_company_id_created_at_id_idx ON spend_cap(company_id, created_at, id);

CREATE TABLE run_limit (
    id UUID NOT NULL,
    company_id UUID NOT NULL,
    key TEXT NOT NULL,
    max_running INTEGER NOT NULL,
    is_paused BOOLEAN NOT NULL DEFAULT false,
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT run_limit_pkey PRIMARY KEY (id),
    CONSTRAINT run_limit_max_running_check CHECK (max_running > 0)
);
CREATE UNIQUE INDEX run_limit_company_id_key_key ON run_limit(company_id, key);
CREATE INDEX run_limit_company_id_created_at_id_idx ON run_limit(company_id, created_at, id);

-- The key contains the agent, so that events of different agents do not wait for each other.
CREATE TABLE cost_scope_day (
    company_id UUID NOT NULL,
    scope TEXT NOT NULL,
    scope_id UUID NOT NULL,
    day DATE NOT NULL,
    agent_id UUID NOT NULL,
    cost_cents BIGINT NOT NULL,
    CONSTRAINT cost_scope_day_pkey PRIMARY KEY (company_id, scope, scope_id, day, agent_id)
);

ALTER TABLE activity ADD CONSTRAINT activity_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE agent ADD CONSTRAINT agent_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE agent ADD CONSTRAINT agent_company_id_reports_to_fkey
  FOREIGN KEY (company_id, reports_to) REFERENCES agent(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE agent_key ADD CONSTRAINT agent_key_company_id_agent_id_fkey
  FOREIGN KEY (company_id, agent_id) REFERENCES agent(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE agent_config_revision ADD CONSTRAINT agent_config_revision_company_id_agent_id_fkey
  FOREIGN KEY (company_id, agent_id) REFERENCES agent(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE agent_month ADD CONSTRAINT agent_month_company_id_agent_id_fkey
  FOREIGN KEY (company_id, agent_id) REFERENCES agent(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE agent_check ADD CONSTRAINT agent_check_company_id_agent_id_fkey
  FOREIGN KEY (company_id, agent_id) REFERENCES agent(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE agent_session ADD CONSTRAINT agent_session_company_id_agent_id_fkey
  FOREIGN KEY (company_id, agent_id) REFERENCES agent(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE agent_session ADD CONSTRAINT agent_session_company_id_issue_id_fkey
  FOREIGN KEY (company_id, issue_id) REFERENCES issue(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE agent_self_wake ADD CONSTRAINT agent_self_wake_company_id_agent_id_fkey
  FOREIGN KEY (company_id, agent_id) REFERENCES agent(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE approval ADD CONSTRAINT approval_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE approval ADD CONSTRAINT approval_company_id_requested_by_agent_id_fkey
  FOREIGN KEY (company_id, requested_by_agent_id) REFERENCES agent(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE approval ADD CONSTRAINT approval_company_id_hired_agent_id_fkey
  FOREIGN KEY (company_id, hired_agent_id) REFERENCES agent(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE approval_comment ADD CONSTRAINT approval_comment_company_id_approval_id_fkey
  FOREIGN KEY (company_id, approval_id) REFERENCES approval(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE approval_comment ADD CONSTRAINT approval_comment_company_id_author_agent_id_fkey
  FOREIGN KEY (company_id, author_agent_id) REFERENCES agent(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE approval_issue ADD CONSTRAINT approval_issue_company_id_approval_id_fkey
  FOREIGN KEY (company_id, approval_id) REFERENCES approval(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE approval_issue ADD CONSTRAINT approval_issue_company_id_issue_id_fkey
  FOREIGN KEY (company_id, issue_id) REFERENCES issue(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE asset ADD CONSTRAINT asset_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE attachment ADD CONSTRAINT attachment_company_id_issue_id_fkey
  FOREIGN KEY (company_id, issue_id) REFERENCES issue(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE attachment ADD CONSTRAINT attachment_company_id_asset_id_fkey
  FOREIGN KEY (company_id, asset_id) REFERENCES asset(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE attachment ADD CONSTRAINT attachment_company_id_created_by_agent_id_fkey
  FOREIGN KEY (company_id, created_by_agent_id) REFERENCES agent(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE company ADD CONSTRAINT company_id_logo_asset_id_fkey
  FOREIGN KEY (id, logo_asset_id) REFERENCES asset(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE status_tally ADD CONSTRAINT status_tally_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE cost_event ADD CONSTRAINT cost_event_company_id_agent_id_fkey
  FOREIGN KEY (company_id, agent_id) REFERENCES agent(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE cost_event ADD CONSTRAINT cost_event_company_id_issue_id_fkey
  FOREIGN KEY (company_id, issue_id) REFERENCES issue(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE cost_event ADD CONSTRAINT cost_event_company_id_project_id_fkey
  FOREIGN KEY (company_id, project_id) REFERENCES project(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE cost_event ADD CONSTRAINT cost_event_company_id_goal_id_fkey
  FOREIGN KEY (company_id, goal_id) REFERENCES goal(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE cost_event ADD CONSTRAINT cost_event_company_id_run_id_fkey
  FOREIGN KEY (company_id, run_id) REFERENCES heartbeat_run(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE company_month ADD CONSTRAINT company_month_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE issue_document ADD CONSTRAINT issue_document_company_id_issue_id_fkey
  FOREIGN KEY (company_id, issue_id) REFERENCES issue(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE document_revision ADD CONSTRAINT document_revision_company_id_document_id_fkey
  FOREIGN KEY (company_id, document_id) REFERENCES issue_document(company_id, id) ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE document_revision ADD CONSTRAINT document_revision_company_id_created_by_agent_id_fkey
  FOREIGN KEY (company_id, created_by_agent_id) REFERENCES agent(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE goal ADD CONSTRAINT goal_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE goal ADD CONSTRAINT goal_company_id_parent_id_fkey
  FOREIGN KEY (company_id, parent_id) REFERENCES goal(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE goal ADD CONSTRAINT goal_company_id_owner_agent_id_fkey
  FOREIGN KEY (company_id, owner_agent_id) REFERENCES agent(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE heartbeat_run ADD CONSTRAINT heartbeat_run_company_id_agent_id_fkey
  FOREIGN KEY (company_id, agent_id) REFERENCES agent(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE heartbeat_run ADD CONSTRAINT heartbeat_run_company_id_issue_id_fkey
  FOREIGN KEY (company_id, issue_id) REFERENCES issue(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE heartbeat_run ADD CONSTRAINT heartbeat_run_company_id_retry_of_run_id_fkey
  FOREIGN KEY (company_id, retry_of_run_id) REFERENCES heartbeat_run(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE run_log_chunk ADD CONSTRAINT run_log_chunk_company_id_run_id_fkey
  FOREIGN KEY (company_id, run_id) REFERENCES heartbeat_run(company_id, id) ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE agent_wakeup ADD CONSTRAINT agent_wakeup_company_id_agent_id_fkey
  FOREIGN KEY (company_id, agent_id) REFERENCES agent(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE agent_wakeup ADD CONSTRAINT agent_wakeup_company_id_issue_id_fkey
  FOREIGN KEY (company_id, issue_id) REFERENCES issue(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE agent_wakeup ADD CONSTRAINT agent_wakeup_company_id_run_id_fkey
  FOREIGN KEY (company_id, run_id) REFERENCES heartbeat_run(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE agent_wakeup ADD CONSTRAINT agent_wakeup_company_id_routine_run_id_fkey
  FOREIGN KEY (company_id, routine_run_id) REFERENCES routine_run(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE hidden_inbox_item ADD CONSTRAINT hidden_inbox_item_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE agent_last_check ADD CONSTRAINT agent_last_check_company_id_agent_id_fkey
  FOREIGN KEY (company_id, agent_id) REFERENCES agent(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE issue ADD CONSTRAINT issue_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE issue ADD CONSTRAINT issue_company_id_assignee_agent_id_fkey
  FOREIGN KEY (company_id, assignee_agent_id) REFERENCES agent(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE issue ADD CONSTRAINT issue_company_id_created_by_agent_id_fkey
  FOREIGN KEY (company_id, created_by_agent_id) REFERENCES agent(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE issue ADD CONSTRAINT issue_company_id_parent_id_fkey
  FOREIGN KEY (company_id, parent_id) REFERENCES issue(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE issue ADD CONSTRAINT issue_company_id_project_id_fkey
  FOREIGN KEY (company_id, project_id) REFERENCES project(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE issue ADD CONSTRAINT issue_company_id_goal_id_fkey
  FOREIGN KEY (company_id, goal_id) REFERENCES goal(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE issue ADD CONSTRAINT issue_company_id_checkout_run_id_fkey
  FOREIGN KEY (company_id, checkout_run_id) REFERENCES heartbeat_run(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE issue ADD CONSTRAINT issue_company_id_board_mention_comment_id_fkey
  FOREIGN KEY (company_id, board_mention_comment_id) REFERENCES issue_comment(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE issue_blocker ADD CONSTRAINT issue_blocker_company_id_issue_id_fkey
  FOREIGN KEY (company_id, issue_id) REFERENCES issue(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE issue_blocker ADD CONSTRAINT issue_blocker_company_id_blocker_id_fkey
  FOREIGN KEY (company_id, blocker_id) REFERENCES issue(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE issue_comment ADD CONSTRAINT issue_comment_company_id_issue_id_fkey
  FOREIGN KEY (company_id, issue_id) REFERENCES issue(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE issue_comment ADD CONSTRAINT issue_comment_company_id_author_agent_id_fkey
  FOREIGN KEY (company_id, author_agent_id) REFERENCES agent(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE issue_tally ADD CONSTRAINT issue_tally_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE label ADD CONSTRAINT label_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE issue_label ADD CONSTRAINT issue_label_company_id_issue_id_fkey
  FOREIGN KEY (company_id, issue_id) REFERENCES issue(company_id, id) ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE issue_label ADD CONSTRAINT issue_label_company_id_label_id_fkey
  FOREIGN KEY (company_id, label_id) REFERENCES label(company_id, id) ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE session ADD CONSTRAINT session_user_id_fkey
  FOREIGN KEY (user_id) REFERENCES person(id) ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE membership ADD CONSTRAINT membership_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE membership ADD CONSTRAINT membership_user_id_fkey
  FOREIGN KEY (user_id) REFERENCES person(id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE personal_token ADD CONSTRAINT personal_token_user_id_fkey
  FOREIGN KEY (user_id) REFERENCES person(id) ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE personal_token ADD CONSTRAINT personal_token_company_id_user_id_fkey
  FOREIGN KEY (company_id, user_id) REFERENCES membership(company_id, user_id) ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE invite ADD CONSTRAINT invite_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE invite ADD CONSTRAINT invite_accepted_by_user_id_fkey
  FOREIGN KEY (accepted_by_user_id) REFERENCES person(id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE project ADD CONSTRAINT project_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE project ADD CONSTRAINT project_company_id_lead_agent_id_fkey
  FOREIGN KEY (company_id, lead_agent_id) REFERENCES agent(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE project_goal ADD CONSTRAINT project_goal_company_id_project_id_fkey
  FOREIGN KEY (company_id, project_id) REFERENCES project(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE project_goal ADD CONSTRAINT project_goal_company_id_goal_id_fkey
  FOREIGN KEY (company_id, goal_id) REFERENCES goal(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE workspace ADD CONSTRAINT workspace_company_id_project_id_fkey
  FOREIGN KEY (company_id, project_id) REFERENCES project(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE workspace ADD CONSTRAINT workspace_company_id_repo_secret_id_fkey
  FOREIGN KEY (company_id, repo_secret_id) REFERENCES secret(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE routine ADD CONSTRAINT routine_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE routine ADD CONSTRAINT routine_company_id_assignee_agent_id_fkey
  FOREIGN KEY (company_id, assignee_agent_id) REFERENCES agent(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE routine ADD CONSTRAINT routine_company_id_created_by_agent_id_fkey
  FOREIGN KEY (company_id, created_by_agent_id) REFERENCES agent(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE routine ADD CONSTRAINT routine_company_id_project_id_fkey
  FOREIGN KEY (company_id, project_id) REFERENCES project(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE routine ADD CONSTRAINT routine_company_id_goal_id_fkey
  FOREIGN KEY (company_id, goal_id) REFERENCES goal(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE routine ADD CONSTRAINT routine_company_id_parent_issue_id_fkey
  FOREIGN KEY (company_id, parent_issue_id) REFERENCES issue(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE routine_trigger ADD CONSTRAINT routine_trigger_company_id_routine_id_fkey
  FOREIGN KEY (company_id, routine_id) REFERENCES routine(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE routine_trigger ADD CONSTRAINT routine_trigger_company_id_secret_key_id_fkey
  FOREIGN KEY (company_id, secret_key_id) REFERENCES secret_key(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE routine_run ADD CONSTRAINT routine_run_company_id_routine_id_fkey
  FOREIGN KEY (company_id, routine_id) REFERENCES routine(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE routine_run ADD CONSTRAINT routine_run_company_id_linked_issue_id_fkey
  FOREIGN KEY (company_id, linked_issue_id) REFERENCES issue(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE routine_run ADD CONSTRAINT routine_run_company_id_active_run_id_fkey
  FOREIGN KEY (company_id, active_run_id) REFERENCES routine_run(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE webhook_signature ADD CONSTRAINT webhook_signature_company_id_trigger_id_fkey
  FOREIGN KEY (company_id, trigger_id) REFERENCES routine_trigger(company_id, id) ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE runner ADD CONSTRAINT runner_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE runner_instance ADD CONSTRAINT runner_instance_runner_id_company_id_fkey
  FOREIGN KEY (runner_id, company_id) REFERENCES runner(id, company_id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE saved_view ADD CONSTRAINT saved_view_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE secret_key ADD CONSTRAINT secret_key_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE secret ADD CONSTRAINT secret_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE secret_version ADD CONSTRAINT secret_version_company_id_secret_id_fkey
  FOREIGN KEY (company_id, secret_id) REFERENCES secret(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE secret_version ADD CONSTRAINT secret_version_company_id_key_id_fkey
  FOREIGN KEY (company_id, key_id) REFERENCES secret_key(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE workspace ADD CONSTRAINT workspace_company_id_created_by_agent_id_fkey
  FOREIGN KEY (company_id, created_by_agent_id) REFERENCES agent(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE agent_check ADD CONSTRAINT agent_check_company_id_workspace_id_fkey
  FOREIGN KEY (company_id, workspace_id) REFERENCES workspace(company_id, id) ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE cost_day ADD CONSTRAINT cost_day_company_id_agent_id_fkey
  FOREIGN KEY (company_id, agent_id) REFERENCES agent(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE company_text ADD CONSTRAINT company_text_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE delivery ADD CONSTRAINT delivery_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE delivery ADD CONSTRAINT delivery_company_id_run_id_fkey
  FOREIGN KEY (company_id, run_id) REFERENCES heartbeat_run(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE delivery ADD CONSTRAINT delivery_company_id_issue_id_fkey
  FOREIGN KEY (company_id, issue_id) REFERENCES issue(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE delivery ADD CONSTRAINT delivery_company_id_routine_run_id_fkey
  FOREIGN KEY (company_id, routine_run_id) REFERENCES routine_run(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE delivery ADD CONSTRAINT delivery_company_id_target_key_id_fkey
  FOREIGN KEY (company_id, target_key_id) REFERENCES secret_key(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE endpoint ADD CONSTRAINT endpoint_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE endpoint ADD CONSTRAINT endpoint_company_id_target_key_id_fkey
  FOREIGN KEY (company_id, target_key_id) REFERENCES secret_key(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE delivery ADD CONSTRAINT delivery_company_id_endpoint_id_fkey
  FOREIGN KEY (company_id, endpoint_id) REFERENCES endpoint(company_id, id) ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE company_turn ADD CONSTRAINT company_turn_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE reservation ADD CONSTRAINT reservation_company_id_agent_id_fkey
  FOREIGN KEY (company_id, agent_id) REFERENCES agent(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE reservation ADD CONSTRAINT reservation_company_id_run_id_fkey
  FOREIGN KEY (company_id, run_id) REFERENCES heartbeat_run(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE budget_pause ADD CONSTRAINT budget_pause_company_id_run_id_fkey
  FOREIGN KEY (company_id, run_id) REFERENCES heartbeat_run(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;
ALTER TABLE idempotency_record ADD CONSTRAINT idempotency_record_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE spend_cap ADD CONSTRAINT spend_cap_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE run_limit ADD CONSTRAINT run_limit_company_id_fkey
  FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE cost_scope_day ADD CONSTRAINT cost_scope_day_company_id_agent_id_fkey
  FOREIGN KEY (company_id, agent_id) REFERENCES agent(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;

-- Uses row triggers, because PostgreSQL evaluates their condition without a function call, and it is false for most
-- updates.
CREATE FUNCTION record_issue_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO status_change (company_id, counted, day, status, n)
    VALUES (OLD.company_id, 'issue', '-infinity', OLD.status, -1);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO status_change (company_id, counted, day, status, n)
    VALUES (NEW.company_id, 'issue', '-infinity', NEW.status, 1);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER issue_is_tallied AFTER INSERT OR DELETE ON issue
  FOR EACH ROW EXECUTE FUNCTION record_issue_status();
CREATE TRIGGER issue_status_is_tallied AFTER UPDATE OF status ON issue
  FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION record_issue_status();

-- Queued and running runs are few and are not tallied.
CREATE FUNCTION record_run_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.status NOT IN ('queued', 'running') THEN
    INSERT INTO status_change (company_id, counted, day, status, n)
    VALUES (OLD.company_id, 'heartbeat_run', (OLD.created_at AT TIME ZONE 'UTC')::date, OLD.status, -1);
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.status NOT IN ('queued', 'running') THEN
    INSERT INTO status_change (company_id, counted, day, status, n)
    VALUES (NEW.company_id, 'heartbeat_run', (NEW.created_at AT TIME ZONE 'UTC')::date, NEW.status, 1);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER ended_run_is_tallied AFTER INSERT ON heartbeat_run
  FOR EACH ROW WHEN (NEW.status NOT IN ('queued', 'running')) EXECUTE FUNCTION record_run_status();
CREATE TRIGGER run_end_is_tallied AFTER UPDATE OF status ON heartbeat_run
  FOR EACH ROW WHEN (OLD.status <> NEW.status
    AND (OLD.status NOT IN ('queued', 'running') OR NEW.status NOT IN ('queued', 'running')))
  EXECUTE FUNCTION record_run_status();
CREATE TRIGGER deleted_run_is_tallied AFTER DELETE ON heartbeat_run
  FOR EACH ROW WHEN (OLD.status NOT IN ('queued', 'running')) EXECUTE FUNCTION record_run_status();

-- Failed runs are also tallied by error code: counting a million of them took a second per request.
CREATE FUNCTION record_run_failure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.status IN ('failed', 'timed_out') THEN
    INSERT INTO status_change (company_id, counted, day, status, n)
    VALUES (OLD.company_id, 'run_failure', (OLD.created_at AT TIME ZONE 'UTC')::date, coalesce(OLD.error_code, 'unknown'), -1);
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.status IN ('failed', 'timed_out') THEN
    INSERT INTO status_change (company_id, counted, day, status, n)
    VALUES (NEW.company_id, 'run_failure', (NEW.created_at AT TIME ZONE 'UTC')::date, coalesce(NEW.error_code, 'unknown'), 1);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER failed_run_is_tallied AFTER INSERT ON heartbeat_run
  FOR EACH ROW WHEN (NEW.status IN ('failed', 'timed_out')) EXECUTE FUNCTION record_run_failure();
CREATE TRIGGER run_failure_is_tallied AFTER UPDATE OF status ON heartbeat_run
  FOR EACH ROW WHEN (OLD.status <> NEW.status
    AND (OLD.status IN ('failed', 'timed_out') OR NEW.status IN ('failed', 'timed_out')))
  EXECUTE FUNCTION record_run_failure();
CREATE TRIGGER deleted_failure_is_tallied AFTER DELETE ON heartbeat_run
  FOR EACH ROW WHEN (OLD.status IN ('failed', 'timed_out')) EXECUTE FUNCTION record_run_failure();

CREATE FUNCTION record_issue_labels() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO status_change (company_id, counted, day, status, n)
  SELECT company_id, 'label', '-infinity', label_id::text, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
  FROM changed GROUP BY company_id, label_id;
  RETURN NULL;
END $$;

CREATE TRIGGER issue_labels_are_tallied AFTER INSERT ON issue_label
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_issue_labels();
CREATE TRIGGER lost_issue_labels_are_tallied AFTER DELETE ON issue_label
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_issue_labels();

-- Pairs of an owner and a status that an update does not change add up to zero and write no row.
CREATE FUNCTION record_issue_of_owners() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO issue_tally_change (company_id, owner_id, status, n)
  SELECT coalesce(NEW.company_id, OLD.company_id), owner_id, status, sum(n)
  FROM (VALUES
    (OLD.project_id, OLD.status, -1), (OLD.goal_id, OLD.status, -1), (OLD.assignee_agent_id, OLD.status, -1),
    (NEW.project_id, NEW.status, 1), (NEW.goal_id, NEW.status, 1), (NEW.assignee_agent_id, NEW.status, 1)
  ) change(owner_id, status, n)
  WHERE owner_id IS NOT NULL GROUP BY owner_id, status HAVING sum(n) <> 0;
  RETURN NULL;
END $$;

CREATE TRIGGER owned_issue_is_tallied AFTER INSERT ON issue
  FOR EACH ROW WHEN (coalesce(NEW.project_id, NEW.goal_id, NEW.assignee_agent_id) IS NOT NULL)
  EXECUTE FUNCTION record_issue_of_owners();
CREATE TRIGGER deleted_issue_is_tallied AFTER DELETE ON issue
  FOR EACH ROW WHEN (coalesce(OLD.project_id, OLD.goal_id, OLD.assignee_agent_id) IS NOT NULL)
  EXECUTE FUNCTION record_issue_of_owners();
CREATE TRIGGER issue_of_owners_is_tallied AFTER UPDATE OF status, project_id, goal_id, assignee_agent_id ON issue
  FOR EACH ROW WHEN ((OLD.status, OLD.project_id, OLD.goal_id, OLD.assignee_agent_id)
    IS DISTINCT FROM (NEW.status, NEW.project_id, NEW.goal_id, NEW.assignee_agent_id))
  EXECUTE FUNCTION record_issue_of_owners();

CREATE FUNCTION set_issue_status_since() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.status_since := now();
  RETURN NEW;
END $$;

CREATE TRIGGER issue_status_is_dated BEFORE UPDATE OF status ON issue
  FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION set_issue_status_since();

-- Replaces a foreign key, which is impossible because `local-board` has no membership.
CREATE FUNCTION assert_assignee_is_member() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM membership
    WHERE company_id = NEW.company_id AND user_id::text = NEW.assignee_user_id FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE foreign_key_violation USING TABLE = 'issue', CONSTRAINT = 'issue_assignee_is_member',
      MESSAGE = 'an issue is assigned to a person who is no member of its company';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER issue_is_given_to_member AFTER INSERT ON issue
  FOR EACH ROW WHEN (NEW.assignee_user_id <> 'local-board') EXECUTE FUNCTION assert_assignee_is_member();
CREATE TRIGGER issue_assignee_is_member AFTER UPDATE OF assignee_user_id ON issue
  FOR EACH ROW WHEN (NEW.assignee_user_id <> 'local-board' AND NEW.assignee_user_id IS DISTINCT FROM OLD.assignee_user_id)
  EXECUTE FUNCTION assert_assignee_is_member();

-- Folds text for comparison: removes case, and marks of Latin and Greek letters; converts full-width characters to their
-- usual forms. It maps characters with a table because a database with locale C converts only ASCII case, and because
-- normalize() takes quadratic time for text that an attacker can choose.
CREATE FUNCTION search_fold(t TEXT) RETURNS TEXT LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  IF octet_length(t) = char_length(t) THEN
    RETURN lower(t);
  END IF;
  RETURN replace(replace(replace(lower(translate(regexp_replace(t, '[\u0300-\u036f]+', '', 'g'),
      'ÆŒẞÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝàáâãäåçèéêëìíîïðñòóôõöøùúûüýÿĀāĂăĄąĆćĈĉĊċ'
      'ČčĎďĐđĒēĔĕĖėĘęĚěĜĝĞğĠġĢģĤĥĦħĨĩĪīĬĭĮįİıĴĵĶķĹĺĻļĽľŁłŃńŅņŇňŌōŎŏŐőŔŕŖŗŘřŚśŜŝ'
      'ŞşŠšŢţŤťŦŧŨũŪūŬŭŮůŰűŲųŴŵŶŷŸŹźŻżŽžȘșȚțẠạẢảẤấẦầẨẩẪẫẬậẮắẰằẲẳẴẵẶặẸẹẺẻẼẽẾếỀềỂ'
      'ểỄễỆệỈỉỊịỌọỎỏỐốỒồỔổỖỗỘộỚớỜờỞởỠỡỢợỤụỦủỨứỪừỬửỮữỰựỲỳỴỵỶỷỸỹΆΈΉΊΌΎΏΐΑΒΓΔΕΖΗΘΙ'
      'ΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΪΫάέήίΰςϊϋόύώЀЁЂЃЄЅІЇЈЉЊЋЌЍЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫ'
      'ЬЭЮЯѐёѓќѝў'
      '“”„‟‘’‚‛«»‹›–—―…·•‒′″¡¿×÷ '
      'ＡＢＣＤＥＦＧＨＩＪＫＬＭＮＯＰＱＲＳＴＵＶＷＸＹＺａｂｃｄｅｆｇｈｉｊｋｌｍｎｏｐｑｒｓｔｕｖｗｘｙｚ０１２３４５６７８９'
      '！＂＃＄％＆＇（）＊＋，－．／：；＜＝＞？＠［＼］＾＿｀｛｜｝～',
      'æœßaaaaaaceeeeiiiidnoooooouuuuyaaaaaaceeeeiiiidnoooooouuuuyyaaaaaacccccc'
      'ccddddeeeeeeeeeegggggggghhhhiiiiiiiiiijjkkllllllllnnnnnnoooooorrrrrrssss'
      'ssssttttttuuuuuuuuuuuuwwyyyzzzzzzssttaaaaaaaaaaaaaaaaaaaaaaaaeeeeeeeeeee'
      'eeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyyαεηιουωιαβγδεζηθι'
      'κλμνξοπρστυφχψωιυαεηιυσιυουωееђгєѕіїјљњћкиуџабвгдежзийклмнопрстуфхцчшщъы'
      'ьэюяеегкиу'
      '                          '
      'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz0123456789'
      '                                ')), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe');
END $$;

-- Returns the words of a text. Punctuation separates words, so that parts of paths, addresses and identifiers are found.
-- No stemming, because texts may be in any language. The limit keeps an entry far below the size that PostgreSQL refuses.
CREATE FUNCTION search_words(t TEXT) RETURNS TSVECTOR LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN to_tsvector('pg_catalog.simple', translate(search_fold(left(t, 50000)),
    '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32)));
END $$;

CREATE FUNCTION enter_issue() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_change (company_id, kind, entity_id) VALUES (NEW.company_id, 'issue', NEW.id);
  RETURN NULL;
END $$;

CREATE TRIGGER issue_is_searched AFTER INSERT ON issue
  FOR EACH ROW EXECUTE FUNCTION enter_issue();
CREATE TRIGGER changed_issue_is_searched AFTER UPDATE OF identifier, title, description ON issue
  FOR EACH ROW WHEN ((OLD.identifier, OLD.title, OLD.description) IS DISTINCT FROM (NEW.identifier, NEW.title, NEW.description))
  EXECUTE FUNCTION enter_issue();

CREATE FUNCTION enter_comment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_change (company_id, kind, entity_id) VALUES (NEW.company_id, 'comment', NEW.id);
  RETURN NULL;
END $$;

CREATE TRIGGER issue_comment_is_searched AFTER INSERT ON issue_comment
  FOR EACH ROW EXECUTE FUNCTION enter_comment();
CREATE TRIGGER changed_issue_comment_is_searched AFTER UPDATE OF body ON issue_comment
  FOR EACH ROW WHEN (OLD.body IS DISTINCT FROM NEW.body)
  EXECUTE FUNCTION enter_comment();

CREATE FUNCTION enter_document() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_change (company_id, kind, entity_id) VALUES (NEW.company_id, 'document', NEW.document_id);
  RETURN NULL;
END $$;

CREATE TRIGGER document_revision_is_searched AFTER INSERT ON document_revision
  FOR EACH ROW EXECUTE FUNCTION enter_document();

CREATE FUNCTION enter_agent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_change (company_id, kind, entity_id) VALUES (NEW.company_id, 'agent', NEW.id);
  RETURN NULL;
END $$;

CREATE TRIGGER agent_is_searched AFTER INSERT ON agent
  FOR EACH ROW EXECUTE FUNCTION enter_agent();
CREATE TRIGGER changed_agent_is_searched AFTER UPDATE OF name, role, title, capabilities ON agent
  FOR EACH ROW WHEN ((OLD.name, OLD.role, OLD.title, OLD.capabilities) IS DISTINCT FROM (NEW.name, NEW.role, NEW.title, NEW.capabilities))
  EXECUTE FUNCTION enter_agent();

CREATE FUNCTION enter_project() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_change (company_id, kind, entity_id) VALUES (NEW.company_id, 'project', NEW.id);
  RETURN NULL;
END $$;

CREATE TRIGGER project_is_searched AFTER INSERT ON project
  FOR EACH ROW EXECUTE FUNCTION enter_project();
CREATE TRIGGER changed_project_is_searched AFTER UPDATE OF name, description ON project
  FOR EACH ROW WHEN ((OLD.name, OLD.description) IS DISTINCT FROM (NEW.name, NEW.description))
  EXECUTE FUNCTION enter_project();

-- Also records the change, because a worker that still saw the row may insert the entry again.
CREATE FUNCTION leave_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM search_entry WHERE kind = TG_ARGV[0] AND entity_id = OLD.id;
  INSERT INTO search_change (company_id, kind, entity_id) VALUES (OLD.company_id, TG_ARGV[0], OLD.id);
  RETURN NULL;
END $$;

CREATE TRIGGER deleted_issue_is_not_searched AFTER DELETE ON issue
  FOR EACH ROW EXECUTE FUNCTION leave_search('issue');
CREATE TRIGGER deleted_issue_comment_is_not_searched AFTER DELETE ON issue_comment
  FOR EACH ROW EXECUTE FUNCTION leave_search('comment');
CREATE TRIGGER deleted_issue_document_is_not_searched AFTER DELETE ON issue_document
  FOR EACH ROW EXECUTE FUNCTION leave_search('document');
CREATE TRIGGER deleted_agent_is_not_searched AFTER DELETE ON agent
  FOR EACH ROW EXECUTE FUNCTION leave_search('agent');
CREATE TRIGGER deleted_project_is_not_searched AFTER DELETE ON project
  FOR EACH ROW EXECUTE FUNCTION leave_search('project');

-- Returns the current name of an entity. A function, because a list with a subquery per table would open all of these
-- tables for each page.
CREATE FUNCTION name_of_entity(of_type TEXT, of_id TEXT) RETURNS TEXT LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE AS $$
BEGIN
  CASE of_type
    WHEN 'routine' THEN RETURN (SELECT n.title FROM routine n WHERE n.id = of_id::uuid);
    WHEN 'project' THEN RETURN (SELECT n.name FROM project n WHERE n.id = of_id::uuid);
    WHEN 'goal' THEN RETURN (SELECT n.title FROM goal n WHERE n.id = of_id::uuid);
    WHEN 'secret' THEN RETURN (SELECT n.name FROM secret n WHERE n.id = of_id::uuid);
    WHEN 'label' THEN RETURN (SELECT n.name FROM label n WHERE n.id = of_id::uuid);
    WHEN 'workspace' THEN RETURN (SELECT n.name FROM workspace n WHERE n.id = of_id::uuid);
    WHEN 'company' THEN RETURN (SELECT n.name FROM company n WHERE n.id = of_id::uuid);
    ELSE RETURN NULL;
  END CASE;
END $$;

CREATE FUNCTION count_issue_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.revision := OLD.revision + 1;
  RETURN NEW;
END $$;

CREATE TRIGGER issue_revision_is_counted
  BEFORE UPDATE OF title, description, status, priority, assignee_agent_id, assignee_user_id, parent_id,
    project_id, goal_id, billing_code, due_date ON issue
  FOR EACH ROW WHEN (
    (OLD.title, OLD.description, OLD.status, OLD.priority, OLD.assignee_agent_id, OLD.assignee_user_id, OLD.parent_id,
      OLD.project_id, OLD.goal_id, OLD.billing_code, OLD.due_date)
    IS DISTINCT FROM
    (NEW.title, NEW.description, NEW.status, NEW.priority, NEW.assignee_agent_id, NEW.assignee_user_id, NEW.parent_id,
      NEW.project_id, NEW.goal_id, NEW.billing_code, NEW.due_date))
  EXECUTE FUNCTION count_issue_revision();

-- Callers already hold the lock on the agent's row of `agent_month`, so two events of one agent cannot wait for each
-- other here. Locks rows in the order of their key.
CREATE FUNCTION count_cost_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO cost_day AS d (company_id, day, agent_id, named, provider, model, cost_cents, input_tokens, output_tokens,
    unpriced_events, events)
  SELECT company_id, (created_at AT TIME ZONE 'UTC')::date, agent_id, md5(ROW(provider, model)::text)::uuid, provider, model,
    sum(cost_cents), sum(input_tokens), sum(output_tokens), count(*) FILTER (WHERE unpriced), count(*)
  FROM stored GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4
  ON CONFLICT (company_id, day, agent_id, named) DO UPDATE SET
    cost_cents = d.cost_cents + excluded.cost_cents,
    input_tokens = d.input_tokens + excluded.input_tokens,
    output_tokens = d.output_tokens + excluded.output_tokens,
    unpriced_events = d.unpriced_events + excluded.unpriced_events,
    events = d.events + excluded.events;
  RETURN NULL;
END $$;

CREATE TRIGGER cost_event_counted AFTER INSERT ON cost_event
  REFERENCING NEW TABLE AS stored FOR EACH STATEMENT EXECUTE FUNCTION count_cost_events();

-- Returns the wakes of a queued run and those that join it, oldest first. A run keeps 64 KiB of payloads; a further payload
-- is replaced by its size and, for a decision, the approval's id. `added` is `json`, which keeps the text that is measured.
CREATE FUNCTION join_wakes(known JSONB, added JSON) RETURNS JSONB LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  room INTEGER := 65536 - (
    SELECT coalesce(sum(octet_length(wake ->> 'payload')), 0) FROM jsonb_array_elements(known) wake);
  joined JSONB := known;
  wake JSON;
  bytes INTEGER;
BEGIN
  FOR wake IN SELECT value FROM json_array_elements(added) LOOP
    bytes := coalesce(octet_length(wake ->> 'payload'), 0);
    IF bytes > room THEN
      joined := joined || jsonb_build_array(jsonb_set(wake::jsonb, '{payload}',
        jsonb_build_object('omitted', true, 'byteSize', bytes) || CASE wake ->> 'source'
          WHEN 'approval' THEN jsonb_build_object('approvalId', wake -> 'payload' -> 'approvalId') ELSE '{}' END));
    ELSE
      joined := joined || jsonb_build_array(wake::jsonb);
      room := room - bytes;
    END IF;
  END LOOP;
  RETURN (
    SELECT coalesce(jsonb_agg(value ORDER BY value ->> 'at', place), '[]')
    FROM jsonb_array_elements(joined) WITH ORDINALITY AS one(value, place));
END $$;

CREATE FUNCTION add_company_text(of_company UUID, more BIGINT) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  unlocked UUID;
BEGIN
  SELECT id INTO unlocked FROM company_text WHERE company_id = of_company LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
  IF unlocked IS NULL THEN
    INSERT INTO company_text (company_id, bytes) VALUES (of_company, more);
  ELSE
    UPDATE company_text SET bytes = bytes + more WHERE company_id = of_company AND id = unlocked;
  END IF;
END $$;

CREATE FUNCTION count_company_text() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  sign INTEGER := CASE TG_OP WHEN 'DELETE' THEN -1 ELSE 1 END;
BEGIN
  CASE TG_TABLE_NAME
    WHEN 'issue', 'goal', 'routine' THEN
      PERFORM add_company_text(company_id, sign * sum(octet_length(title) + coalesce(octet_length(description), 0)))
        FROM changed GROUP BY company_id;
    WHEN 'project' THEN
      PERFORM add_company_text(company_id, sign * sum(octet_length(name) + coalesce(octet_length(description), 0)))
        FROM changed GROUP BY company_id;
    WHEN 'issue_comment', 'approval_comment' THEN
      PERFORM add_company_text(company_id, sign * sum(octet_length(body))) FROM changed GROUP BY company_id;
    WHEN 'document_revision' THEN
      PERFORM add_company_text(company_id, sign * sum(octet_length(title) + octet_length(body)))
        FROM changed GROUP BY company_id;
    WHEN 'approval' THEN
      PERFORM add_company_text(company_id, sign * sum(octet_length(payload::text))) FROM changed GROUP BY company_id;
    WHEN 'agent_config_revision' THEN
      PERFORM add_company_text(company_id,
        sign * sum(coalesce(octet_length(before::text), 0) + octet_length(after::text)))
        FROM changed GROUP BY company_id;
  END CASE;
  RETURN NULL;
END $$;

CREATE FUNCTION recount_company_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_TABLE_NAME
    WHEN 'issue', 'goal', 'routine' THEN
      PERFORM add_company_text(NEW.company_id, octet_length(NEW.title) - octet_length(OLD.title)
        + coalesce(octet_length(NEW.description), 0) - coalesce(octet_length(OLD.description), 0));
    WHEN 'project' THEN
      PERFORM add_company_text(NEW.company_id, octet_length(NEW.name) - octet_length(OLD.name)
        + coalesce(octet_length(NEW.description), 0) - coalesce(octet_length(OLD.description), 0));
    WHEN 'approval' THEN
      PERFORM add_company_text(NEW.company_id, octet_length(NEW.payload::text) - octet_length(OLD.payload::text));
  END CASE;
  RETURN NULL;
END $$;

CREATE TRIGGER issue_text_is_counted AFTER INSERT ON issue
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_company_text();
CREATE TRIGGER deleted_issue_text_is_counted AFTER DELETE ON issue
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_company_text();
CREATE TRIGGER goal_text_is_counted AFTER INSERT ON goal
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_company_text();
CREATE TRIGGER deleted_goal_text_is_counted AFTER DELETE ON goal
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_company_text();
CREATE TRIGGER routine_text_is_counted AFTER INSERT ON routine
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_company_text();
CREATE TRIGGER deleted_routine_text_is_counted AFTER DELETE ON routine
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_company_text();
CREATE TRIGGER project_text_is_counted AFTER INSERT ON project
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_company_text();
CREATE TRIGGER deleted_project_text_is_counted AFTER DELETE ON project
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_company_text();
CREATE TRIGGER issue_comment_text_is_counted AFTER INSERT ON issue_comment
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_company_text();
CREATE TRIGGER deleted_issue_comment_text_is_counted AFTER DELETE ON issue_comment
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_company_text();
CREATE TRIGGER approval_comment_text_is_counted AFTER INSERT ON approval_comment
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_company_text();
CREATE TRIGGER deleted_approval_comment_text_is_counted AFTER DELETE ON approval_comment
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_company_text();
CREATE TRIGGER document_revision_text_is_counted AFTER INSERT ON document_revision
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_company_text();
CREATE TRIGGER deleted_document_revision_text_is_counted AFTER DELETE ON document_revision
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_company_text();
CREATE TRIGGER approval_text_is_counted AFTER INSERT ON approval
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_company_text();
CREATE TRIGGER deleted_approval_text_is_counted AFTER DELETE ON approval
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_company_text();
CREATE TRIGGER agent_config_revision_text_is_counted AFTER INSERT ON agent_config_revision
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_company_text();
CREATE TRIGGER deleted_agent_config_revision_text_is_counted AFTER DELETE ON agent_config_revision
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_company_text();
CREATE TRIGGER changed_issue_text_is_counted AFTER UPDATE OF title, description ON issue
  FOR EACH ROW WHEN (octet_length(OLD.title) <> octet_length(NEW.title)
    OR octet_length(OLD.description) IS DISTINCT FROM octet_length(NEW.description))
  EXECUTE FUNCTION recount_company_text();
CREATE TRIGGER changed_goal_text_is_counted AFTER UPDATE OF title, description ON goal
  FOR EACH ROW WHEN (octet_length(OLD.title) <> octet_length(NEW.title)
    OR octet_length(OLD.description) IS DISTINCT FROM octet_length(NEW.description))
  EXECUTE FUNCTION recount_company_text();
CREATE TRIGGER changed_routine_text_is_counted AFTER UPDATE OF title, description ON routine
  FOR EACH ROW WHEN (octet_length(OLD.title) <> octet_length(NEW.title)
    OR octet_length(OLD.description) IS DISTINCT FROM octet_length(NEW.description))
  EXECUTE FUNCTION recount_company_text();
CREATE TRIGGER changed_project_text_is_counted AFTER UPDATE OF name, description ON project
  FOR EACH ROW WHEN (octet_length(OLD.name) <> octet_length(NEW.name)
    OR octet_length(OLD.description) IS DISTINCT FROM octet_length(NEW.description))
  EXECUTE FUNCTION recount_company_text();
CREATE TRIGGER changed_approval_text_is_counted AFTER UPDATE OF payload ON approval
  FOR EACH ROW WHEN (OLD.payload <> NEW.payload) EXECUTE FUNCTION recount_company_text();

-- Marks the handle of a new callback. The update waits for a transaction that is ending the handle; if the handle has ended,
-- the callback is due at once.
CREATE FUNCTION await_handle() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  has_ended BOOLEAN;
  found_status TEXT;
BEGIN
  IF NEW.run_id IS NOT NULL THEN
    UPDATE heartbeat_run SET has_callback = true WHERE company_id = NEW.company_id AND id = NEW.run_id
    RETURNING status NOT IN ('queued', 'running'), status INTO has_ended, found_status;
  ELSIF NEW.issue_id IS NOT NULL THEN
    UPDATE issue SET has_callback = true WHERE company_id = NEW.company_id AND id = NEW.issue_id
    RETURNING status IN ('done', 'cancelled'), status INTO has_ended, found_status;
  ELSE
    UPDATE routine_run SET has_callback = true WHERE company_id = NEW.company_id AND id = NEW.routine_run_id
    RETURNING completed_at IS NOT NULL, status INTO has_ended, found_status;
  END IF;
  IF has_ended THEN
    NEW.status := 'pending';
    NEW.ended_at := now();
    NEW.ended_status := found_status;
    NEW.next_attempt_at := now();
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER handle_is_awaited BEFORE INSERT ON delivery
  FOR EACH ROW WHEN (NEW.status = 'waiting') EXECUTE FUNCTION await_handle();

CREATE FUNCTION release_callbacks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE delivery SET status = 'pending', ended_at = now(), ended_status = NEW.status, next_attempt_at = now()
  WHERE company_id = NEW.company_id AND status = 'waiting' AND CASE TG_TABLE_NAME
    WHEN 'heartbeat_run' THEN run_id = NEW.id WHEN 'issue' THEN issue_id = NEW.id ELSE routine_run_id = NEW.id END;
  RETURN NULL;
END $$;

CREATE TRIGGER run_end_releases_callbacks AFTER UPDATE OF status ON heartbeat_run
  FOR EACH ROW WHEN (NEW.has_callback AND OLD.status IN ('queued', 'running') AND NEW.status NOT IN ('queued', 'running'))
  EXECUTE FUNCTION release_callbacks();
CREATE TRIGGER issue_end_releases_callbacks AFTER UPDATE OF status ON issue
  FOR EACH ROW WHEN (NEW.has_callback AND NEW.status IN ('done', 'cancelled') AND OLD.status <> NEW.status)
  EXECUTE FUNCTION release_callbacks();
CREATE TRIGGER routine_run_end_releases_callbacks AFTER UPDATE OF status ON routine_run
  FOR EACH ROW WHEN (NEW.has_callback AND NEW.completed_at IS NOT NULL AND OLD.completed_at IS NULL)
  EXECUTE FUNCTION release_callbacks();

-- A retry that is planned in the transaction of the run's end takes over the run's callbacks. A later retry by a person
-- does not: the callback is already due.
CREATE FUNCTION move_callbacks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE delivery SET run_id = NEW.retried_by_run_id, status = 'waiting', ended_at = NULL, ended_status = NULL, next_attempt_at = NULL
  WHERE company_id = NEW.company_id AND run_id = NEW.id AND status = 'pending' AND ended_at = now()::timestamptz(3)
    AND attempts = 0 AND body IS NULL;
  IF FOUND THEN
    UPDATE heartbeat_run SET has_callback = true WHERE id = NEW.retried_by_run_id;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER retry_takes_callbacks AFTER UPDATE OF retried_by_run_id ON heartbeat_run
  FOR EACH ROW WHEN (NEW.has_callback AND NEW.retried_by_run_id IS NOT NULL) EXECUTE FUNCTION move_callbacks();

CREATE FUNCTION count_firing_payload() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_OP
    WHEN 'INSERT' THEN PERFORM add_company_text(NEW.company_id, octet_length(NEW.payload::text));
    WHEN 'DELETE' THEN PERFORM add_company_text(OLD.company_id, -octet_length(OLD.payload::text));
  END CASE;
  RETURN NULL;
END $$;

CREATE TRIGGER firing_payload_is_counted AFTER INSERT ON routine_run
  FOR EACH ROW WHEN (NEW.payload IS NOT NULL) EXECUTE FUNCTION count_firing_payload();
CREATE TRIGGER deleted_firing_payload_is_counted AFTER DELETE ON routine_run
  FOR EACH ROW WHEN (OLD.payload IS NOT NULL) EXECUTE FUNCTION count_firing_payload();

CREATE FUNCTION count_cost_scopes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO cost_scope_day AS d (company_id, scope, scope_id, day, agent_id, cost_cents)
  SELECT s.company_id, named.scope, named.id, (s.created_at AT TIME ZONE 'UTC')::date, s.agent_id, sum(s.cost_cents)
  FROM stored s LEFT JOIN heartbeat_run r ON r.id = s.run_id LEFT JOIN issue i ON i.id = s.issue_id
    LEFT JOIN routine_run f ON f.id = coalesce(r.routine_run_id, i.origin_routine_run_id)
    CROSS JOIN LATERAL (VALUES ('issue', s.issue_id), ('project', s.project_id), ('routine', f.routine_id)) named (scope, id)
  WHERE named.id IS NOT NULL AND s.cost_cents > 0
  GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (company_id, scope, scope_id, day, agent_id) DO UPDATE SET cost_cents = d.cost_cents + excluded.cost_cents;
  RETURN NULL;
END $$;

CREATE FUNCTION period_start(period TEXT) RETURNS DATE LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE period WHEN 'total' THEN '-infinity'::date ELSE date_trunc(period, now() AT TIME ZONE 'UTC')::date END
$$;

-- Returns the cents that a scope has spent since a UTC day; a run includes its retries. Adds up months if the day begins
-- a month. Adds up events only for runs that began before the day. A generic plan, because planning takes longer than
-- reading.
CREATE FUNCTION spent_since(of_company UUID, of_scope TEXT, of_id UUID, since DATE)
RETURNS BIGINT LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  is_month CONSTANT BOOLEAN := since = date_trunc('month', since::timestamp);
  since_time CONSTANT TIMESTAMPTZ := since::timestamp AT TIME ZONE 'UTC';
  spent NUMERIC;
BEGIN
  IF of_scope = 'agent' AND is_month THEN
    SELECT sum(cost_cents) INTO spent FROM agent_month WHERE agent_id = of_id AND month >= since;
  ELSIF of_scope = 'agent' THEN
    SELECT sum(d.cost_cents) INTO spent FROM generate_series(0, (now() AT TIME ZONE 'UTC')::date - since) n
      JOIN cost_day d ON d.company_id = of_company AND d.day = since + n AND d.agent_id = of_id;
  ELSIF of_scope = 'company' AND is_month THEN
    SELECT sum(cost_cents) INTO spent FROM agent_month WHERE company_id = of_company AND month >= since;
  ELSIF of_scope = 'company' THEN
    SELECT sum(cost_cents) INTO spent FROM cost_day WHERE company_id = of_company AND day >= since;
  ELSIF of_scope = 'run' THEN
    WITH RECURSIVE retried AS (
      SELECT id, created_at, cost_cents, retried_by_run_id FROM heartbeat_run WHERE id = of_id AND company_id = of_company
      UNION
      SELECT r.id, r.created_at, r.cost_cents, r.retried_by_run_id FROM retried JOIN heartbeat_run r
        ON r.company_id = of_company AND (r.retry_of_run_id = retried.id OR r.id = retried.retried_by_run_id)
    )
    SELECT sum(CASE WHEN created_at >= since_time THEN cost_cents ELSE (
      SELECT coalesce(sum(e.cost_cents), 0) FROM cost_event e
      WHERE e.company_id = of_company AND e.run_id = retried.id AND e.created_at >= since_time) END)
    INTO spent FROM retried;
  ELSE
    SELECT sum(cost_cents) INTO spent FROM cost_scope_day
    WHERE company_id = of_company AND scope = of_scope AND scope_id = of_id AND day >= since;
  END IF;
  RETURN coalesce(spent, 0);
END $$;

CREATE FUNCTION caps_of(of_company UUID, of_agent UUID, of_issue UUID, of_routine_run UUID, of_run UUID)
RETURNS TABLE (code TEXT, scope TEXT, scope_id UUID, period TEXT, cents BIGINT, since DATE, spent BIGINT)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  IF NOT EXISTS (SELECT FROM spend_cap WHERE company_id = of_company) THEN
    RETURN;
  END IF;
  RETURN QUERY
  WITH named AS (
    SELECT known.scope, known.id FROM (SELECT) one LEFT JOIN issue i ON i.id = of_issue
      LEFT JOIN routine_run f ON f.id = coalesce(of_routine_run, i.origin_routine_run_id)
      CROSS JOIN LATERAL (VALUES ('company', of_company), ('agent', of_agent), ('issue', i.id),
        ('project', i.project_id), ('routine', f.routine_id)) known (scope, id)
    UNION ALL SELECT 'run', continued_runs(of_run)
  )
  SELECT c.scope || '_cap', c.scope, c.scope_id, c.period, c.cents, bounds.since,
    spent_since(of_company, c.scope, c.scope_id, bounds.since)
  FROM named JOIN spend_cap c ON c.company_id = of_company AND c.scope = named.scope AND c.scope_id = named.id
    CROSS JOIN LATERAL (SELECT period_start(c.period) AS since) bounds;
END $$;

CREATE TRIGGER cost_event_scopes_counted AFTER INSERT ON cost_event
  REFERENCING NEW TABLE AS stored FOR EACH STATEMENT EXECUTE FUNCTION count_cost_scopes();

-- Adds the difference of changed events to the sums per day. Callers already hold the locks on the agents' rows of
-- `agent_month`.
CREATE FUNCTION recount_cost_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO cost_day AS d (company_id, day, agent_id, named, provider, model, cost_cents, input_tokens, output_tokens,
    unpriced_events, events)
  SELECT company_id, (created_at AT TIME ZONE 'UTC')::date, agent_id, md5(ROW(provider, model)::text)::uuid, provider, model,
    sum(sign * cost_cents), sum(sign * input_tokens), sum(sign * output_tokens), sum(sign * unpriced::int), sum(sign)
  FROM (SELECT 1 AS sign, * FROM after UNION ALL SELECT -1, * FROM before) changed
  GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4
  ON CONFLICT (company_id, day, agent_id, named) DO UPDATE SET
    cost_cents = d.cost_cents + excluded.cost_cents,
    input_tokens = d.input_tokens + excluded.input_tokens,
    output_tokens = d.output_tokens + excluded.output_tokens,
    unpriced_events = d.unpriced_events + excluded.unpriced_events,
    events = d.events + excluded.events;
  DELETE FROM cost_day d USING before b
  WHERE d.company_id = b.company_id AND d.day = (b.created_at AT TIME ZONE 'UTC')::date AND d.agent_id = b.agent_id
    AND d.named = md5(ROW(b.provider, b.model)::text)::uuid AND d.events = 0;
  INSERT INTO cost_scope_day AS d (company_id, scope, scope_id, day, agent_id, cost_cents)
  SELECT s.company_id, named.scope, named.id, (s.created_at AT TIME ZONE 'UTC')::date, s.agent_id, sum(s.sign * s.cost_cents)
  FROM (SELECT 1 AS sign, * FROM after UNION ALL SELECT -1, * FROM before) s
    LEFT JOIN heartbeat_run r ON r.id = s.run_id LEFT JOIN issue i ON i.id = s.issue_id
    LEFT JOIN routine_run f ON f.id = coalesce(r.routine_run_id, i.origin_routine_run_id)
    CROSS JOIN LATERAL (VALUES ('issue', s.issue_id), ('project', s.project_id), ('routine', f.routine_id)) named (scope, id)
  WHERE named.id IS NOT NULL
  GROUP BY 1, 2, 3, 4, 5 HAVING sum(s.sign * s.cost_cents) <> 0 ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (company_id, scope, scope_id, day, agent_id) DO UPDATE SET cost_cents = d.cost_cents + excluded.cost_cents;
  RETURN NULL;
END $$;

CREATE TRIGGER cost_event_recounted AFTER UPDATE ON cost_event
  REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION recount_cost_events();

CREATE FUNCTION continued_runs(of_run UUID) RETURNS SETOF UUID LANGUAGE sql STABLE AS $$
  WITH RECURSIVE continued AS (
    SELECT id, company_id, retry_of_run_id FROM heartbeat_run WHERE id = of_run
    UNION
    SELECT r.id, r.company_id, r.retry_of_run_id FROM continued JOIN heartbeat_run r
      ON r.company_id = continued.company_id
      AND (r.id = continued.retry_of_run_id OR r.retried_by_run_id = continued.id)
  )
  SELECT id FROM continued
$$;

-- Returns the wakes of a run that must wait because a spend cap of their work is reached. Reads each cap once.
CREATE FUNCTION capped_wakes(of_run UUID) RETURNS TABLE (place BIGINT, code TEXT) LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
  run heartbeat_run;
BEGIN
  SELECT * INTO run FROM heartbeat_run WHERE id = of_run;
  IF NOT EXISTS (SELECT FROM spend_cap WHERE company_id = run.company_id) THEN
    RETURN;
  END IF;
  RETURN QUERY
  WITH wake AS MATERIALIZED (
    SELECT w.place, w.value - 'payload' AS value, i.id AS issue_id, i.project_id, f.routine_id
    FROM jsonb_array_elements(run.wake_reasons) WITH ORDINALITY w (value, place)
      LEFT JOIN issue i ON i.company_id = run.company_id AND i.id = (w.value ->> 'issueId')::uuid
      LEFT JOIN routine_run f ON f.id = i.origin_routine_run_id
  ), capped_run AS MATERIALIZED (
    SELECT DISTINCT c.scope_id AS id FROM continued_runs(of_run) continued (id)
      JOIN spend_cap c ON c.company_id = run.company_id AND c.scope = 'run' AND c.scope_id = continued.id
  ), named AS MATERIALIZED (
    SELECT wake.place, known.scope, known.id FROM wake
      CROSS JOIN LATERAL (VALUES ('company', run.company_id), ('agent', run.agent_id), ('issue', wake.issue_id),
        ('project', wake.project_id), ('routine', wake.routine_id)) known (scope, id)
    WHERE known.id IS NOT NULL
    UNION ALL
    SELECT wake.place, 'run', r.id FROM capped_run JOIN heartbeat_run r ON r.id = capped_run.id
      CROSS JOIN LATERAL jsonb_array_elements(r.wake_reasons) known (value)
      JOIN wake ON wake.value = known.value - 'payload'
  ), spent AS MATERIALIZED (
    SELECT cap.scope, cap.scope_id, min(cap.cents - cap.spent) AS free FROM (
      SELECT c.scope, c.scope_id, c.cents,
        spent_since(run.company_id, c.scope, c.scope_id, period_start(c.period)) AS spent
      FROM (SELECT DISTINCT scope, id FROM named) of_wakes
        JOIN spend_cap c ON c.company_id = run.company_id AND c.scope = of_wakes.scope AND c.scope_id = of_wakes.id
      OFFSET 0
    ) cap WHERE cap.spent >= cap.cents GROUP BY 1, 2
  )
  SELECT DISTINCT ON (named.place) named.place, named.scope || '_cap'
  FROM named JOIN spent ON spent.scope = named.scope AND spent.scope_id = named.id
  ORDER BY named.place, spent.free, named.scope;
END $$;

-- Returns the keys that limit the agent's runs: its own keys, and the provider of a coding agent.
CREATE FUNCTION run_keys(of_agent agent) RETURNS TEXT[] LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(of_agent.limit_keys, '{}') || CASE of_agent.adapter_type
    WHEN 'model_a_local' THEN ARRAY['provider:anthropic']
    WHEN 'model_b_local' THEN ARRAY['provider:openai']
    WHEN 'model_c_local' THEN ARRAY['provider:' || CASE
      WHEN of_agent.adapter_config ->> 'model' LIKE '%/%' THEN lower(split_part(of_agent.adapter_config ->> 'model', '/', 1))
      ELSE 'opencode' END] END
$$;

-- Returns the keys under which no further run of the company may start. A caller that starts a run holds the locks of
-- the agent's limits.
CREATE FUNCTION full_keys(of_company UUID) RETURNS TEXT[] LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM run_limit WHERE company_id = of_company) THEN
    RETURN '{}';
  END IF;
  RETURN ARRAY(
    SELECT l.key FROM run_limit l LEFT JOIN (
      SELECT held.key, count(DISTINCT r.id) AS runs
      FROM heartbeat_run r JOIN agent a ON a.id = r.agent_id CROSS JOIN LATERAL unnest(run_keys(a)) held (key)
      WHERE r.company_id = of_company AND r.status = 'running' GROUP BY held.key
    ) busy ON busy.key = l.key
    WHERE l.company_id = of_company AND (l.is_paused OR l.max_running <= coalesce(busy.runs, 0)) ORDER BY l.key);
END $$;

-- A company may have most of its issues under few parents, e.g. under the parent of a routine. PostgreSQL would then
-- expect as many children of every issue, and not use the index of parents.
ALTER TABLE issue ALTER COLUMN parent_id SET (n_distinct = -0.1);

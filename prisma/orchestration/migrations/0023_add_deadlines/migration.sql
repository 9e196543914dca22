-- Deadlines of questions and approvals, and the members to ask one after another until then.
ALTER TABLE approval ADD COLUMN deadline_at TIMESTAMPTZ(3);
ALTER TABLE approval ADD COLUMN on_deadline JSONB;
ALTER TABLE approval ADD COLUMN deadline_passed_at TIMESTAMPTZ(3);
ALTER TABLE approval ADD COLUMN escalation JSONB NOT NULL DEFAULT '[]';
ALTER TABLE approval ADD COLUMN waits_since TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
ALTER TABLE approval ADD COLUMN next_step_at TIMESTAMPTZ(3);
-- lock: no row has a next step yet
CREATE INDEX approval_next_step ON approval (next_step_at) WHERE next_step_at IS NOT NULL;

/** What the Prisma schema cannot say and migrations write by hand: index or constraint, by its table. */
export const HAND_WRITTEN = {
  orchestration: {
    indexes: {
      agent: ['agent_name_key', 'agent_paused_by_budget'],
      agent_wakeup: ['agent_wakeup_decided', 'agent_wakeup_pending'],
      asset: ['asset_expiry'],
      cost_event: ['cost_event_of_issue', 'cost_event_reported'],
      heartbeat_run: [
        'heartbeat_run_lease',
        'heartbeat_run_live_issue',
        'heartbeat_run_of_merged_wakes',
        'heartbeat_run_one_queued',
        'heartbeat_run_running',
        'heartbeat_run_waiting',
        'heartbeat_run_waiting_company',
      ],
      issue: [
        'issue_board_mention',
        'issue_list_by_due_date',
        'issue_list_of_person',
        'issue_open_children',
      ],
      routine_run: ['routine_run_active', 'routine_run_pending'],
      routine_trigger: ['routine_trigger_due'],
      search_entry: ['search_entry_title_words', 'search_entry_words'],
      workspace: ['workspace_one_primary'],
    },
    checks: {
      agent: ['agent_budget_check', 'agent_pause_check', 'agent_status_check'],
      agent_wakeup: ['agent_wakeup_status_check'],
      approval: ['approval_answer_check', 'approval_decided_check', 'approval_status_check'],
      company: ['company_budget_check', 'company_status_check'],
      cost_event: ['cost_event_amount_check', 'cost_event_unpriced_check'],
      goal: ['goal_level_check', 'goal_status_check'],
      heartbeat_run: ['heartbeat_run_finished_check', 'heartbeat_run_status_check'],
      invite: ['invite_accepted_check', 'invite_role_check'],
      issue: [
        'issue_assignee_check',
        'issue_hold_check',
        'issue_lock_check',
        'issue_priority_check',
        'issue_status_check',
      ],
      issue_blocker: ['issue_blocker_self_check'],
      membership: ['membership_role_check'],
      person: ['person_email_check'],
      personal_token: ['personal_token_scope_check'],
      project: ['project_status_check'],
      routine: ['routine_policy_check', 'routine_priority_check', 'routine_status_check'],
      routine_run: [
        'routine_run_completed_check',
        'routine_run_joined_check',
        'routine_run_linked_check',
        'routine_run_source_check',
        'routine_run_status_check',
      ],
      routine_trigger: [
        'routine_trigger_kind_check',
        'routine_trigger_schedule_check',
        'routine_trigger_webhook_check',
      ],
      secret: ['secret_latest_version_check'],
      secret_version: ['secret_version_version_check'],
      workspace: [
        'workspace_credential_check',
        'workspace_credential_version_check',
        'workspace_place_check',
      ],
    },
  },
  metrics: { indexes: { grid: ['grid_active_name_key'] }, checks: {} },
} satisfies Record<string, { indexes: Record<string, string[]>; checks: Record<string, string[]> }>;

/**
 * Columns that name a row without a foreign key: no client ever writes them, and the record they stand in
 * outlives what it names or is written before it.
 */
export const UNBOUND_REFERENCES = [
  'activity.run_id',
  'agent_config_revision.created_by_agent_id',
  'agent_config_revision.rolled_back_from_revision_id',
  'agent_wakeup.comment_id',
  'attachment.created_by_run_id',
  'document_revision.created_by_run_id',
  'heartbeat_run.routine_run_id',
  'issue.origin_routine_run_id',
  'issue_comment.created_by_run_id',
  'issue_document.latest_revision_id',
  'issue_tally.owner_id',
  'issue_tally_change.company_id',
  'issue_tally_change.owner_id',
  'routine_run.trigger_id',
  'search_backfill.after_id',
  'search_entry.company_id',
  'search_entry.entity_id',
  'status_change.company_id',
];

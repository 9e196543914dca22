/** The columns of an activity row for a statement that writes one beside what it records. */
export const INSERT_ACTIVITY =
  'INSERT INTO activity (id, company_id, actor_type, actor_id, run_id, action, entity_type, entity_id, details)';

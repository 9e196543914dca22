/**
 * SQL: what the entity of the activity in `row` is called now. One look into one index for each row. Ids of entities are texts,
 * and not all of them are UUIDs.
 */
export function entityOf(row: string): string {
  const named = (table: string, name: string, identifier = 'NULL') =>
    `(SELECT json_build_object('name', named.${name}, 'identifier', ${identifier}) FROM ${table} named
      WHERE named.id = ${row}.entity_id::uuid)`;
  return `CASE WHEN ${isId(`${row}.entity_id`)} THEN CASE ${row}.entity_type
    WHEN 'issue' THEN ${named('issue', 'title', 'named.identifier')}
    WHEN 'agent' THEN ${named('agent', 'name')}
    WHEN 'heartbeat_run' THEN (SELECT json_build_object('name', worker.name, 'identifier', about.identifier)
      FROM heartbeat_run named JOIN agent worker ON worker.id = named.agent_id
      LEFT JOIN issue about ON about.id = named.issue_id WHERE named.id = ${row}.entity_id::uuid)
    WHEN 'routine' THEN ${named('routine', 'title')}
    WHEN 'project' THEN ${named('project', 'name')}
    WHEN 'goal' THEN ${named('goal', 'title')}
    WHEN 'secret' THEN ${named('secret', 'name')}
    WHEN 'label' THEN ${named('label', 'name')}
    WHEN 'workspace' THEN ${named('workspace', 'name')}
    WHEN 'company' THEN ${named('company', 'name')}
  END END`;
}

/** A regular expression says the same and costs PostgreSQL three times as much, which is felt in a page of them. */
const isId = (text: string) =>
  `${text} LIKE '________-____-____-____-____________' AND translate(${text}, '0123456789abcdef', '') = '----'`;

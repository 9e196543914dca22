import type { ListedActivityView } from '@switchyard/types';

/**
 * SQL of the current name of the activity's entity, e.g. `SWI-1 Mend the lock`; `presentEntity`
 * parses it. A subquery per kind would open every table for each page, so rare kinds use a database
 * function.
 */
export function entityOf(row: string): string {
  const id = `${row}.entity_id::uuid`;
  return `CASE ${row}.entity_type
    WHEN 'issue' THEN (SELECT named.identifier || ' ' || named.title FROM issue named WHERE named.id = ${id})
    WHEN 'agent' THEN (SELECT ' ' || named.name FROM agent named WHERE named.id = ${id})
    WHEN 'heartbeat_run' THEN (SELECT concat(about.identifier, ' ', worker.name)
      FROM heartbeat_run named JOIN agent worker ON worker.id = named.agent_id
      LEFT JOIN issue about ON about.id = named.issue_id WHERE named.id = ${id})
    ELSE ' ' || name_of_entity(${row}.entity_type, ${row}.entity_id)
  END`;
}

export function presentEntity(found: string | null): ListedActivityView['entity'] {
  if (found === null) return null;
  const space = found.indexOf(' ');
  return { name: found.slice(space + 1), identifier: found.slice(0, space) || null };
}

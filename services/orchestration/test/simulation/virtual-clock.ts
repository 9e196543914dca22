import type { Clock } from '@switchyard/async';
import { runSql } from '@switchyard/testing';
import type { Harness } from '../harness';

const START = '2030-01-01T00:00:00Z';

/**
 * `simulated` comes before `pg_catalog`, so statements find these functions under the usual names.
 * Unlike PostgreSQL's, this `now()` is the time of a statement, not of its transaction.
 */
const INSTALL = `
  CREATE SCHEMA simulated;
  CREATE TABLE simulated.clock (at timestamptz NOT NULL);
  INSERT INTO simulated.clock VALUES ('${START}');
  CREATE FUNCTION simulated.now() RETURNS timestamptz LANGUAGE sql STABLE
    AS 'SELECT at FROM simulated.clock';
  CREATE FUNCTION simulated.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
    AS 'SELECT at FROM simulated.clock';
  CREATE FUNCTION simulated.random() RETURNS float8 LANGUAGE sql VOLATILE AS 'SELECT 0.5::float8';
  GRANT USAGE ON SCHEMA simulated TO PUBLIC;
  GRANT SELECT, UPDATE ON simulated.clock TO PUBLIC;
  DO $$
  DECLARE found record;
  BEGIN
    FOR found IN
      SELECT d.adrelid::regclass AS name, a.attname AS field
      FROM pg_attrdef d JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
      WHERE pg_get_expr(d.adbin, d.adrelid) IN ('CURRENT_TIMESTAMP', 'now()')
    LOOP
      EXECUTE format('ALTER TABLE %s ALTER %I SET DEFAULT simulated.now()', found.name, found.field);
    END LOOP;
    EXECUTE format('ALTER DATABASE %I SET search_path TO simulated, pg_catalog, public', current_database());
  END $$`;

const MOVE = `UPDATE simulated.clock SET at = at + $1 * interval '1 millisecond' RETURNING at`;

export interface VirtualClock extends Clock {
  /** Replaces the clock of a database. Connections that exist already keep the real clock. */
  install(ownerUrl: string): Promise<void>;
  /** @param ms may be negative */
  advance(harness: Harness, ms: number): Promise<void>;
}

export function createVirtualClock(): VirtualClock {
  let at = new Date(START);
  return {
    now: () => at,
    install: (ownerUrl) => runSql(ownerUrl, INSTALL).then(() => undefined),
    advance: async ({ context }, ms) => {
      const { rows } = await context.db.pool.query<{ at: string }>(MOVE, [ms]);
      at = new Date((rows[0] as { at: string }).at);
    },
  };
}

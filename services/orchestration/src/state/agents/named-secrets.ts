/**
 * SQL: the secret references of a stored configuration, as rows of one column `ref`. Reads only the
 * places where the schema allows them: elsewhere an object may look like a reference.
 */
export const namedSecretsSql = (config: string): string => `(
  SELECT * FROM jsonb_path_query(${config}, '$.env.* ? (@.type == "secret_ref")')
  UNION ALL SELECT * FROM jsonb_path_query(${config}, '$.signingSecret ? (@.type == "secret_ref")'))`;

/**
 * SQL: the references to secrets in a stored configuration, as rows of one column `ref`. Only the places that a schema has for
 * them: elsewhere an object may look like one.
 */
export const namedSecretsSql = (config: string): string => `(
  SELECT * FROM jsonb_path_query(${config}, '$.env.* ? (@.type == "secret_ref")')
  UNION ALL SELECT * FROM jsonb_path_query(${config}, '$.signingSecret ? (@.type == "secret_ref")'))`;

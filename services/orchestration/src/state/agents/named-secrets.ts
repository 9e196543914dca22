/**
 * SQL: the secret references of a stored configuration, as rows of one column `ref`. Only reads the
 * places that the schema allows, because other objects may look like a reference.
 */
export const namedSecretsSql = (config: string): string => `(
  SELECT * FROM jsonb_path_query(${config}, '$.env.* ? (@.type == "secret_ref")')
  UNION ALL SELECT * FROM jsonb_path_query(${config}, '$.signingSecret ? (@.type == "secret_ref")'))`;

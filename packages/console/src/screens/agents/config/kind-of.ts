export interface Schema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  additionalProperties?: Schema | boolean;
}

export type FieldKind =
  | 'text'
  | 'longText'
  | 'number'
  | 'switch'
  | 'choice'
  | 'list'
  | 'pairs'
  | 'environment'
  | 'secret'
  | 'json';

export function kindOf(schema: Schema): FieldKind {
  if (schema.enum) return 'choice';
  if (isSecretReference(schema)) return 'secret';
  switch (schema.type) {
    case 'string':
      return (schema.maxLength ?? 0) > LONG ? 'longText' : 'text';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'switch';
    case 'array':
      return schema.items?.type === 'string' ? 'list' : 'json';
    case 'object':
      return kindOfRecord(schema.additionalProperties);
    default:
      return 'json';
  }
}

const LONG = 10_000;

function kindOfRecord(values: Schema | boolean | undefined): FieldKind {
  if (typeof values !== 'object') return 'json';
  if (values.type === 'string') return 'pairs';
  return values.anyOf?.some(isSecretReference) ? 'environment' : 'json';
}

const isSecretReference = ({ properties }: Schema): boolean =>
  properties?.type?.const === 'secret_ref';

export interface SecretReference {
  type: 'secret_ref';
  secretId: string;
  version?: 'latest' | number;
}

export const isReference = (value: unknown): value is SecretReference =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'secret_ref';

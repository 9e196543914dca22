import type { OpenApiDocument } from '@switchyard/server';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

const inPointer = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1');

/**
 * Validates responses only against the published document, as a client of another project would.
 * Returns null, or the faults of `body`.
 */
export function openDescribedAnswers(document: OpenApiDocument) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema(document as object, 'api');
  return (method: string, path: string, status: number, body: unknown): string | null => {
    const template = path.replace(/:(\w+)/g, '{$1}');
    const item = document.paths?.[template] as Record<string, { responses?: object }> | undefined;
    const responses = item?.[method.toLowerCase()]?.responses as Record<string, { $ref?: string }>;
    const answer = responses?.[status];
    if (!answer) return `no ${status}`;
    const at =
      answer.$ref ?? `#/paths/${inPointer(template)}/${method.toLowerCase()}/responses/${status}`;
    const validate = ajv.getSchema(encodeURI(`api${at}/content/application~1json/schema`));
    if (!validate) return `a ${status} without a body`;
    return validate(body) ? null : ajv.errorsText(validate.errors);
  };
}

import {
  buildDocument,
  type OpenApiDocument,
  type Operation,
  PROBE_OPERATIONS,
  VERSION,
} from '@switchyard/server';
import * as types from '@switchyard/types';
import { z } from 'zod';
import { HOST_PREFIX, SESSION_COOKIE } from '../access/sign-in/sessions';
import type { OrchestrationRoute } from '../pipeline';
import { describeAdapterConfigs } from './describe-adapter-configs';
import { HEALTH_OPERATION } from './health-operation';
import { operationOf } from './operation-of';

const DESCRIPTION = `Organises autonomous AI agents as the employees of a company.

A single resource is answered as itself, a list as a plain array: \`limit\` and \`cursor\` go in, \`X-Limit\` and
\`X-Next-Cursor\` come back. Bodies are strict, an unknown field is refused. In a PATCH absent, null and a value are
three things. An error is always \`{ error, code, details?, requestId }\`. A known path answers another method with 405
\`method_not_allowed\` and \`Allow\`; HEAD is answered wherever GET is.

The same verbs are tools of the Model Context Protocol at \`POST /mcp\`, which is not part of this document.

Board members carry a session cookie, or a personal access token as a bearer; agents an API key, or the token of the run that they are. In local trusted mode
whoever reaches the service without a credential is the board; a credential in another place than \`Authorization\` is refused with 400.
\`X-Acting-As\` names in every answer whom the request was taken for.`;

const text = { type: 'string' as const };

const COMPONENTS = {
  securitySchemes: {
    session: {
      type: 'apiKey' as const,
      in: 'cookie' as const,
      name: `${HOST_PREFIX}${SESSION_COOKIE}`,
      description: `Over plain http its name is \`${SESSION_COOKIE}\`.`,
    },
    personalToken: {
      type: 'http' as const,
      scheme: 'bearer',
      description:
        'A personal access token of a board member (`syp_…`), within its scope and company.',
    },
    apiKey: {
      type: 'http' as const,
      scheme: 'bearer',
      description: 'An API key of an agent.',
    },
    runToken: {
      type: 'http' as const,
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'What a run receives as SERVICE_API_KEY; it ends with the run.',
    },
    runnerToken: {
      type: 'http' as const,
      scheme: 'bearer',
      description:
        "The token of a runner of a company (`syr_…`); on the worker's own port RUNNER_TOKEN too.",
    },
  },
  parameters: {
    CorrelationId: {
      name: 'X-Correlation-ID',
      in: 'header' as const,
      description: 'Comes back in the answer and stands in every log line.',
      schema: text,
    },
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header' as const,
      description: 'A repeated request is answered with what the first one was, for 24 hours.',
      schema: { ...text, pattern: '^[\\x21-\\x7e]{1,200}$' },
    },
    Prefer: {
      name: 'Prefer',
      in: 'header' as const,
      description:
        '`return=minimal` shortens the answer to what is needed next, such as `id`, `identifier` and `status`; `Preference-Applied` says so (RFC 7240).',
      schema: text,
    },
    RunId: {
      name: 'X-Service-Run-Id',
      in: 'header' as const,
      description: 'The live run in which the caller acts; a run token names it by itself.',
      schema: { ...text, format: 'uuid' },
    },
  },
  headers: {
    CorrelationId: { description: 'The id of this request in the logs.', schema: text },
    ActingAs: {
      description:
        'Whom the request was taken for: `local-board`, `user:<id>`, `agent:<id>`, `runner`, `runner:<id>`, `webhook`, or `anonymous` where no credential was asked for or none was good.',
      schema: text,
    },
    EventPosition: {
      description:
        'The position in the stream of changes up to which the answer shows everything. The list of companies has it always, other answers while the stream of their company is followed.',
      schema: text,
    },
    NextCursor: { description: 'The `cursor` of the next page; absent on the last.', schema: text },
    Limit: { description: 'The limit that was applied.', schema: { type: 'integer' as const } },
    IdempotencyReplayed: {
      description: '`true` when the first answer to this key is repeated.',
      schema: text,
    },
  },
};

const isNamed = ([name, schema]: [string, unknown]) =>
  !name.endsWith('Query') &&
  (schema instanceof z.ZodObject ||
    schema instanceof z.ZodUnion ||
    schema instanceof z.ZodDiscriminatedUnion ||
    schema instanceof z.ZodLazy);

const SCHEMAS = Object.fromEntries(Object.entries(types).filter(isNamed)) as Record<
  string,
  z.ZodType
>;

const TAGS: Record<string, string> = {
  Companies: 'The unit that everything belongs to, and its wall.',
  Goals: 'What a company is for, as a tree.',
  Projects: 'Work towards goals, and the workspaces it is done in.',
  Agents: 'The employees: their place, their adapter, their keys and their configuration.',
  Approvals: 'What the board has to decide.',
  Issues: 'Units of work; one agent at a time holds one by checkout.',
  Inbox: 'What waits for a person.',
  'Saved views': 'Screens of the console with their filters, under a name.',
  Search: 'What a company has, by its words.',
  Documents: 'Texts of an issue, with revisions.',
  Attachments: 'Files of issues, and logos.',
  'Heartbeat runs': 'Agents at work.',
  Runner: 'For the programs that execute runs.',
  Activity: 'Who did what, as a list and as a stream.',
  Webhooks: 'Addresses that receive what happens in a company.',
  Costs: 'What was spent, and the budgets.',
  Secrets: 'Values that agents get through their environment alone.',
  Routines: 'Work that comes again, by schedule, webhook or call.',
  People: 'Signing in, members and invites.',
  Documentation: 'This document and its page.',
  Health: 'For who runs the service.',
};

function tagsOf(operations: Operation[]) {
  const names = new Set(operations.flatMap(({ tags = [] }) => tags));
  return [...names].map((name) => ({ name, description: TAGS[name] }));
}

/** Takes about 100 ms. */
export function apiDocument(
  routes: readonly OrchestrationRoute[],
  isLocal: boolean,
): OpenApiDocument {
  const operations = [
    ...routes.map((route) => operationOf(route, isLocal)),
    HEALTH_OPERATION,
    ...PROBE_OPERATIONS,
  ];
  const info = { title: 'Switchyard orchestration', version: VERSION, description: DESCRIPTION };
  const frame = { info, tags: tagsOf(operations), components: COMPONENTS, schemas: SCHEMAS };
  return describeAdapterConfigs(buildDocument(frame, operations));
}

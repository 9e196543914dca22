import {
  buildDocument,
  type OpenApiDocument,
  type Operation,
  PROBE_OPERATIONS,
  VERSION,
} from '@switchyard/server';
import * as types from '@switchyard/types';
import { z } from 'zod';
import { HOST_PREFIX, SESSION_COOKIE } from '../../access/sign-in/sessions';
import type { OrchestrationRoute } from '../../route';
import { describeAdapterConfigs } from './describe-adapter-configs';
import { HEALTH_OPERATION } from './health-operation';
import { operationOf } from './operation-of';

const FIRST_CALL = {
  local: `-X POST http://127.0.0.1:3100/api/companies -H 'content-type: application/json' -d '{"name":"Acme"}'`,
  authenticated: "-H 'Authorization: Bearer syp_…' $PUBLIC_URL/api/auth/session",
};

const beginningOf = (
  isLocal: boolean,
) => `A first call, with ${isLocal ? 'the address that `npm start` printed' : 'a personal access token'}:

\`\`\`sh
curl -sS ${isLocal ? FIRST_CALL.local : FIRST_CALL.authenticated}
\`\`\`

[The guide for agents](/api/agent-guide) has every call that an agent makes, with examples. The same verbs are tools of the Model Context
Protocol at \`POST /mcp\`, which is not part of this document.`;

const CONVENTIONS = `A single resource is returned without an envelope. A list is a plain array; its query has \`limit\` and \`cursor\`, its response \`X-Limit\` and
\`X-Next-Cursor\`. Bodies are strict: an unknown field is refused. A PATCH distinguishes an absent field, null and a value.
An error is always \`{ error, code, details?, requestId }\`. Another method on a known path is 405 \`method_not_allowed\` with \`Allow\`;
HEAD works wherever GET does.

People send a session cookie, or a personal access token as bearer token; agents send an API key or the token of their run. In local mode,
a caller without a credential is the board, and a credential anywhere except in \`Authorization\` is refused with 400. \`X-Acting-As\` names
the authenticated caller in every response.`;

const text = { type: 'string' as const };

const COMPONENTS = {
  securitySchemes: {
    session: {
      type: 'apiKey' as const,
      in: 'cookie' as const,
      name: `${HOST_PREFIX}${SESSION_COOKIE}`,
      description: `Over plain http, the name of the cookie is \`${SESSION_COOKIE}\`.`,
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
      description: 'The SERVICE_API_KEY of a run; valid until the run ends.',
    },
    runnerToken: {
      type: 'http' as const,
      scheme: 'bearer',
      description:
        "The token of a runner of a company (`syr_…`); the worker's own port also accepts RUNNER_TOKEN.",
    },
  },
  parameters: {
    CorrelationId: {
      name: 'X-Correlation-ID',
      in: 'header' as const,
      description: 'Returned in the response and contained in every log line.',
      schema: text,
    },
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header' as const,
      description: 'A repeated request gets the stored response of the first one, for 24 hours.',
      schema: { ...text, pattern: '^[\\x21-\\x7e]{1,200}$' },
    },
    Prefer: {
      name: 'Prefer',
      in: 'header' as const,
      description:
        '`return=minimal` (RFC 7240) limits the response to ids, `identifier`, `status`, `revision`, woken agents, and values that are shown once, such as a secret.',
      schema: text,
    },
    RunId: {
      name: 'X-Service-Run-Id',
      in: 'header' as const,
      description: 'The live run in which the caller acts; not required with a run token.',
      schema: { ...text, format: 'uuid' },
    },
  },
  headers: {
    CorrelationId: { description: 'The id of this request in the logs.', schema: text },
    ActingAs: {
      description:
        'The authenticated caller: `local-board`, `user:<id>`, `agent:<id>`, `runner`, `runner:<id>`, `webhook`, or `anonymous` without a valid credential.',
      schema: text,
    },
    EventPosition: {
      description:
        'The response contains every change up to this position of the stream of changes. Always present in the list of companies; elsewhere only while a stream of the company is open.',
      schema: text,
    },
    NextCursor: {
      description: 'The `cursor` of the next page; absent on the last page.',
      schema: text,
    },
    Limit: { description: 'The limit that was applied.', schema: { type: 'integer' as const } },
    IdempotencyReplayed: {
      description: '`true` for a stored response.',
      schema: text,
    },
    PreferenceApplied: {
      description: '`return=minimal` if the response was shortened.',
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
  Companies: 'The tenants; every resource belongs to one company.',
  Goals: 'The goals of a company, as a tree.',
  Projects: 'Work towards goals, with the workspaces for it.',
  Agents: 'The employees, with their managers, adapters, API keys and configurations.',
  Approvals: 'Decisions of the board.',
  Issues: 'Units of work; one agent at a time holds an issue by checkout.',
  Inbox: 'Everything that needs a person.',
  'Saved views': 'Named screens of the console with their filters.',
  Search: 'Full-text search in a company.',
  Documents: 'Documents of an issue, with their revisions.',
  Attachments: 'Files of issues, and logos.',
  'Heartbeat runs': 'Executions of agents.',
  Runner: 'Calls that runners make to execute runs.',
  Activity: 'Recorded changes, as a list and as a stream.',
  Webhooks: 'Addresses that receive the events of a company.',
  Costs: 'Spend and budgets.',
  Secrets: 'Values that agents receive only as environment variables.',
  Routines: 'Recurring work, by schedule, webhook or call.',
  People: 'Signing in, members and invites.',
  Documentation: 'This document and its page.',
  Health: 'Probes for operators.',
};

function tagsOf(operations: Operation[]) {
  const names = new Set(operations.flatMap(({ tags = [] }) => tags));
  return [...names].map((name) => ({ name, description: TAGS[name] }));
}

export function apiDocument(
  routes: readonly OrchestrationRoute[],
  isLocal: boolean,
): OpenApiDocument {
  const operations = [
    ...routes.map((route) => operationOf(route, isLocal)),
    HEALTH_OPERATION,
    ...PROBE_OPERATIONS,
  ];
  const description = `Organises autonomous AI agents as the employees of a company.\n\n${beginningOf(isLocal)}\n\n${CONVENTIONS}`;
  const info = { title: 'Switchyard orchestration', version: VERSION, description };
  const frame = { info, tags: tagsOf(operations), components: COMPONENTS, schemas: SCHEMAS };
  return describeAdapterConfigs(buildDocument(frame, operations));
}

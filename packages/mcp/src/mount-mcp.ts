import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  type CallToolRequest,
  type CallToolResult,
  createMcpHandler,
  Server,
} from '@modelcontextprotocol/server';
import {
  ApiError,
  invalidField,
  JSON_BODY_LIMIT,
  parse,
  readText,
  refusalFrom,
  tracing,
  VERSION,
} from '@switchyard/server';
import type { Application, NextFunction, Request, Response } from 'express';
import type { Tool, ToolSet } from './tool';

export const MCP_PATH = '/mcp';

const DEFINITIONS_TTL_MS = 3_600_000;

export interface McpEntry<Caller> {
  name: string;
  instructions: string;
  enter(request: Request, response: Response): Promise<{ tools: ToolSet<Caller>; caller: Caller }>;
  report(error: unknown, request: Request): void;
}

/**
 * Serves the Model Context Protocol at `/mcp`, in the revisions 2025-06-18, 2025-11-25 and
 * 2026-07-28, without sessions. Mount it behind the guards against other origins, because the
 * library has none.
 */
export function mountMcp<Caller>(app: Application, entry: McpEntry<Caller>): void {
  app.use(async (request: Request, response: Response, next: NextFunction) => {
    // The path is case-sensitive, because /MCP is the console's page of a company with the prefix
    // MCP.
    if (request.path !== MCP_PATH) return next();
    request.route = { path: MCP_PATH };
    if (request.method !== 'POST') {
      const message = `${request.method} is not allowed here: this server has no sessions and sends no events; allowed: POST`;
      throw new ApiError('method_not_allowed', message, { allow: 'POST' }, { Allow: 'POST' });
    }
    const { tools, caller } = await entry.enter(request, response);
    const body = await readText(request, JSON_BODY_LIMIT);
    // Rejects batches: no served revision has them, but the library accepts thousands of calls.
    if (/^\s*\[/.test(body)) throw invalidField('body', 'must be a single message, not a list');
    await serve(entry, { tools, caller, body, request, response });
  });
}

async function serve<Caller>(
  entry: McpEntry<Caller>,
  {
    tools,
    caller,
    body,
    request,
    response,
  }: {
    tools: ToolSet<Caller>;
    caller: Caller;
    body: string;
    request: Request;
    response: Response;
  },
): Promise<void> {
  const left = new AbortController();
  response.once('close', () => left.abort());
  const handler = handlerOf(entry, tools, caller, request);
  try {
    const answer = await handler.fetch(webRequest(request, body, left.signal));
    await send(answer, response);
  } catch (error) {
    if (!left.signal.aborted) throw error;
  }
}

function handlerOf<Caller>(
  entry: McpEntry<Caller>,
  { tools, definitions }: ToolSet<Caller>,
  caller: Caller,
  request: Request,
) {
  return createMcpHandler(
    () => {
      const { name, instructions } = entry;
      const server = new Server(
        { name, version: VERSION },
        { capabilities: { tools: {} }, instructions },
      );
      server.setRequestHandler('tools/list', () => ({
        tools: definitions,
        ttlMs: DEFINITIONS_TTL_MS,
        cacheScope: 'private' as const,
      }));
      server.setRequestHandler('tools/call', ({ params }) =>
        call(tools, params, caller, (error) => entry.report(error, request)),
      );
      return server;
    },
    // These lists never change, so clients have nothing to subscribe to.
    { maxSubscriptions: 0 },
  );
}

async function call<Caller>(
  tools: ReadonlyMap<string, Tool<Caller>>,
  params: CallToolRequest['params'],
  caller: Caller,
  report: (error: unknown) => void,
): Promise<CallToolResult> {
  try {
    const tool = tools.get(params.name);
    if (!tool) {
      throw new ApiError(
        'not_found',
        `the tool ${params.name.slice(0, 50)} is not available to this caller; available: ${[...tools.keys()].join(', ')}`,
      );
    }
    const { text, fields } = await inToolSpan(params, async () => {
      const args = parse(tool.input.strict(), params.arguments ?? {}) as never;
      return tool.run(args, caller);
    });
    return { content: [{ type: 'text', text }], ...(fields && { structuredContent: fields }) };
  } catch (error) {
    report(error);
    return refused(error);
  }
}

/** The span omits arguments and results, because they may contain prompts. */
function inToolSpan<T>(
  { name, _meta: meta }: CallToolRequest['params'],
  work: () => Promise<T>,
): Promise<T> {
  if (!tracing().describesAgents) return work();
  const attributes = {
    'mcp.method.name': 'tools/call',
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
  };
  const parent = typeof meta?.traceparent === 'string' ? meta.traceparent : null;
  const errorType = (error: unknown) => refusalFrom(error).code;
  const span = {
    name: `tools/call ${name}`,
    kind: 'server',
    parent,
    attributes,
    errorType,
  } as const;
  return tracing().inSpan(span, work);
}

/**
 * Returns errors as a result that a model can read, not as a protocol error. The result is only
 * text, because many clients check structured content of errors against the output schema too.
 */
function refused(error: unknown): CallToolResult {
  const { code, message, details } = refusalFrom(error);
  return {
    isError: true,
    content: [{ type: 'text', text: `${code}: ${message}${shown(details)}` }],
  };
}

const MAX_DETAILS = 600;

function shown(details: unknown): string {
  const text = details === undefined ? '' : JSON.stringify(details);
  return text && text.length <= MAX_DETAILS ? `\n${text}` : '';
}

function webRequest(request: Request, body: string, signal: AbortSignal): globalThis.Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (name === 'content-encoding' || name === 'content-length') continue;
    for (const each of [value ?? []].flat()) headers.append(name, each);
  }
  // Uses a fixed URL, because the client chooses the Host header and the library does not check it.
  return new globalThis.Request(`http://localhost${MCP_PATH}`, {
    method: 'POST',
    headers,
    body,
    signal,
  });
}

async function send(answer: globalThis.Response, response: Response): Promise<void> {
  response.status(answer.status);
  answer.headers.forEach((value, name) => {
    if (name !== 'connection') response.setHeader(name, value);
  });
  response.setHeader('Cache-Control', 'no-store');
  if (answer.body) await pipeline(Readable.fromWeb(answer.body), response);
  else response.end();
}

import {
  declareRoute,
  type ParameterOf,
  type Route,
  type RouteDeclaration,
  type Schemas,
} from '@switchyard/server';
import type { Access } from './access/rules';
import type { Actor, AgentActor, BoardActor, RunnerActor, WebhookActor } from './kernel/actor';
import type { Call } from './kernel/call';

/** `companyId` is null if the path names no company and the caller is not an agent. */
export interface RequestCall<
  Company extends string | null = string | null,
  Caller extends Actor = Actor,
> extends Call<Company> {
  readonly actor: Caller;
  /** Null if it was not read: for GETs and routes with `refusesArchived`. */
  companyStatus: 'active' | 'paused' | 'archived' | null;
  keyForSec?: number;
  /**
   * Authenticates and scopes the request again, for long responses.
   * @throws ApiError if the request would no longer be admitted
   */
  readmit(): Promise<void>;
}

type Word = 'adapterType' | 'checkId' | 'itemId' | 'key' | 'sessionId' | 'token' | 'tokenId';
type NamesCompany<Path extends string> = [Exclude<ParameterOf<Path>, Word>] extends [never]
  ? false
  : true;
type CompanyOf<Path extends string, Who> = Who extends 'runner'
  ? string | null
  : true extends NamesCompany<Path> | (Who extends 'agent' ? true : false)
    ? string
    : string | null;
type CallerOf<Who> = Who extends 'agent'
  ? AgentActor
  : Who extends 'board' | 'owner'
    ? BoardActor
    : Who extends 'webhook'
      ? WebhookActor
      : Who extends 'runner'
        ? RunnerActor
        : Actor;

export type OrchestrationRoute = Route<RequestCall, Access>;

export function route<
  const Path extends string,
  Who extends Access,
  Query = Record<string, never>,
  Body = Record<string, never>,
  Result = unknown,
  Others extends Schemas = Record<never, never>,
  Found = undefined,
>(
  declared: RouteDeclaration<
    RequestCall<CompanyOf<Path, Who>, CallerOf<Who>>,
    Who,
    Path,
    Query,
    Body,
    Result,
    Others,
    Found
  >,
): OrchestrationRoute {
  return declareRoute<RequestCall, Access>(declared);
}

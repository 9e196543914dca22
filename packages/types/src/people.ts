import { z } from 'zod';
import { id, isStorableText, name, pageQuery, timestamp } from './primitives';

/** The id of the board of local trusted mode, which is no person's row. */
export const LOCAL_BOARD_ID = 'local-board';

export const ROLES = ['owner', 'operator', 'viewer'] as const;
export const role = z.enum(ROLES);

export const emailAddress = z
  .string()
  .max(254)
  .trim()
  .toLowerCase()
  .pipe(z.email('must be an e-mail address'));

/** 12 to 128 characters, of any kind. */
export const newPassword = z
  .string()
  .min(12)
  .max(128)
  .refine(isStorableText, 'must not contain NUL characters or unpaired surrogates');

/** What somebody claims to have chosen once: it is compared and no more. */
const givenPassword = z.string().max(128);
const bootstrapToken = z.string().min(1).max(200);

export const user = z.object({
  /** `local-board` in local trusted mode. */
  id: z.string(),
  email: z.string().nullable(),
  name: z.string(),
});

export const membership = z.object({
  id,
  companyId: id,
  companyName: z.string(),
  role,
  createdAt: timestamp,
});

export const signedIn = z.object({ user });

export const TOKEN_SCOPES = ['read', 'write'] as const;

/** A personal access token, never its value: that is shown once, in the response that made it. */
export const personalToken = z.object({
  id,
  name: z.string(),
  /** `read` is every GET; `write` is what the person's role allows, but for what outlives a token. */
  scope: z.enum(TOKEN_SCOPES),
  /** The one company that it is good for; null for every company of the person. */
  companyId: id.nullable(),
  /** How its value begins. */
  prefix: z.string(),
  createdAt: timestamp,
  expiresAt: timestamp,
  /** As of a minute. */
  lastUsedAt: timestamp.nullable(),
});
export const createdPersonalToken = personalToken
  .omit({ lastUsedAt: true })
  .extend({ token: z.string() });
export const createPersonalTokenBody = z.strictObject({
  name,
  scope: z.enum(TOKEN_SCOPES),
  companyId: id.nullable().optional(),
  /** One year is the most. */
  expiresInDays: z.int().min(1).max(365).default(90),
});
export const listPersonalTokensQuery = z.strictObject({ ...pageQuery() });

/** Who calls, known by which credential, and of which companies. */
export const session = z.object({
  mode: z.enum(['local', 'authenticated']),
  /** `none` in local trusted mode, where the board needs none. */
  credential: z.enum(['none', 'session', 'personal_token', 'api_key', 'run_token']),
  /** Null for an agent. */
  user: user
    .extend({
      /** Whether it may found companies where `COMPANY_FOUNDERS` is `administrators`; never by a token. */
      isAdministrator: z.boolean(),
    })
    .nullable(),
  /** Null for a person. `runId` is that of a run token. */
  agent: z
    .object({
      id,
      name: z.string(),
      role: z.string(),
      companyId: id,
      companyName: z.string(),
      runId: id.nullable(),
    })
    .nullable(),
  token: personalToken
    .pick({ id: true, name: true, scope: true, companyId: true, expiresAt: true })
    .nullable(),
  memberships: z.array(membership),
});

/** A browser that is signed in, as its own person sees it. */
export const browserSession = z.object({
  /** Of the list alone: the cookie holds another. */
  id,
  /** Whether it is the one that asks. */
  current: z.boolean(),
  userAgent: z.string().nullable(),
  address: z.string().nullable(),
  createdAt: timestamp,
  /** As of a minute. */
  lastSeenAt: timestamp,
  expiresAt: timestamp,
});
export const listSessionsQuery = z.strictObject({ ...pageQuery() });
export const changePasswordBody = z.strictObject({ currentPassword: givenPassword, newPassword });

export const confirmPasswordBody = z.strictObject({ password: givenPassword });

export const loginBody = z.strictObject({
  email: emailAddress,
  password: givenPassword,
  newPassword: newPassword
    .optional()
    .describe(
      'Only after 403 password_change_required: takes the place of the password that the operator set',
    ),
});
export const bootstrapBody = z.strictObject({
  token: bootstrapToken,
  email: emailAddress,
  password: newPassword,
  name,
});

export const createInviteBody = z.strictObject({ email: emailAddress.nullable().optional(), role });
export const invite = z.object({
  id,
  /** Shown in this answer alone. */
  token: z.string(),
  url: z.string(),
  role,
  expiresAt: timestamp,
});

/** One that can still be accepted; its token was shown when it was made. */
export const openInvite = z.object({
  id,
  companyId: id,
  email: z.string().nullable(),
  role,
  createdByUserId: z.string(),
  createdAt: timestamp,
  expiresAt: timestamp,
});
export const listInvitesQuery = z.strictObject({ ...pageQuery() });

/** What an account is entered with, and what a new one is made of. */
export const credentials = z.object({ email: emailAddress, password: givenPassword });
export const newPerson = z.object({ email: emailAddress, password: newPassword, name });

/** Someone who is signed in needs none of them; someone with an account no `name`. */
export const acceptInviteBody = z
  .strictObject({ email: emailAddress, password: givenPassword, name })
  .partial();
export const joined = z.object({ user, membership });

export const member = z.object({
  id,
  companyId: id,
  userId: z.string(),
  email: z.string(),
  name: z.string(),
  role,
  createdAt: timestamp,
  updatedAt: timestamp,
});
export const updateMemberBody = z.strictObject({ role });
export const listMembersQuery = z.strictObject({ ...pageQuery() });

export type Role = z.infer<typeof role>;
export type UserView = z.infer<typeof user>;
export type MembershipView = z.infer<typeof membership>;
export type MemberView = z.infer<typeof member>;
export type InviteView = z.infer<typeof invite>;
export type OpenInviteView = z.infer<typeof openInvite>;
export type BrowserSessionView = z.infer<typeof browserSession>;
export type PersonalTokenView = z.infer<typeof personalToken>;
export type CreatedPersonalTokenView = z.infer<typeof createdPersonalToken>;
export type CreatePersonalTokenBody = z.infer<typeof createPersonalTokenBody>;
export type TokenScope = (typeof TOKEN_SCOPES)[number];
export type ChangePasswordBody = z.infer<typeof changePasswordBody>;
export type SessionView = z.infer<typeof session>;
export type ConfirmPasswordBody = z.infer<typeof confirmPasswordBody>;
export type LoginBody = z.infer<typeof loginBody>;
export type BootstrapBody = z.infer<typeof bootstrapBody>;
export type CreateInviteBody = z.infer<typeof createInviteBody>;
export type UpdateMemberBody = z.infer<typeof updateMemberBody>;
export type AcceptInviteBody = z.infer<typeof acceptInviteBody>;

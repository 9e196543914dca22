import { z } from 'zod';
import { id, isStorableText, name, pageQuery, timestamp } from './primitives';

/** The board of local mode, which has no row. */
export const LOCAL_BOARD_ID = 'local-board';

export const ROLES = ['owner', 'operator', 'viewer'] as const;
export const role = z.enum(ROLES);

export const emailAddress = z
  .string()
  .max(254)
  .trim()
  .toLowerCase()
  .pipe(z.email('must be an e-mail address'));

export const newPassword = z
  .string()
  .min(12)
  .max(128)
  .refine(isStorableText, 'must not contain NUL characters or unpaired surrogates');

const givenPassword = z.string().max(128);
const bootstrapToken = z.string().min(1).max(200);

export const user = z.object({
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

export const personalToken = z.object({
  id,
  name: z.string(),
  /**
   * `read` allows every GET. `write` also allows what the person's role allows, except managing
   * credentials and people and creating companies (docs/contract.md).
   */
  scope: z.enum(TOKEN_SCOPES),
  companyId: id.nullable(),
  prefix: z.string(),
  createdAt: timestamp,
  expiresAt: timestamp,
  lastUsedAt: timestamp.nullable(),
});
export const createdPersonalToken = personalToken
  .omit({ lastUsedAt: true })
  .extend({ token: z.string().optional() });
export const createPersonalTokenBody = z.strictObject({
  name,
  scope: z.enum(TOKEN_SCOPES),
  companyId: id.nullable().optional(),
  expiresInDays: z.int().min(1).max(365).default(90),
  userCode: z
    .string()
    .regex(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-?[BCDFGHJKLMNPQRSTVWXZ]{4}$/i)
    .optional()
    .describe(
      'Gives the token to the terminal that shows this code; the response then lacks `token`',
    ),
});
export const deviceSignIn = z.object({
  deviceCode: z.string(),
  userCode: z.string(),
  verificationUrl: z.string(),
  expiresInSec: z.int(),
  intervalSec: z.int(),
});
export const listPersonalTokensQuery = z.strictObject({ ...pageQuery() });

export const session = z.object({
  mode: z.enum(['local', 'authenticated']),
  credential: z.enum(['none', 'session', 'personal_token', 'api_key', 'run_token']),
  user: user
    .extend({
      /**
       * An administrator may create companies if `COMPANY_FOUNDERS` is `administrators`. False for
       * calls with a token.
       */
      isAdministrator: z.boolean(),
      /** False for a person who signs in only at the identity provider. */
      hasPassword: z.boolean(),
    })
    .nullable(),
  /** Null if the caller is a person. `runId` is only set with a run token. */
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

export const browserSession = z.object({
  id,
  current: z.boolean(),
  userAgent: z.string().nullable(),
  address: z.string().nullable(),
  createdAt: timestamp,
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
      'Only after 403 password_change_required: replaces the password that the operator set',
    ),
});
export const providerSignInBody = z.strictObject({
  next: z.string().max(2_000).optional().describe('Path of the page to show after the sign-in'),
  invite: z.string().max(100).optional().describe('Token of an invite to accept'),
  link: z
    .boolean()
    .optional()
    .describe("`true`: links the signed-in person's account instead of signing in"),
});
export const providerSignIn = z.object({ url: z.string() });
export const bootstrapBody = z.strictObject({
  token: bootstrapToken,
  email: emailAddress,
  password: newPassword,
  name,
});

export const createInviteBody = z.strictObject({ email: emailAddress.nullable().optional(), role });
export const invite = z.object({
  id,
  token: z.string(),
  url: z.string(),
  role,
  expiresAt: timestamp,
});

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

export const credentials = z.object({ email: emailAddress, password: givenPassword });
export const newPerson = z.object({ email: emailAddress, password: newPassword, name });

/** Signed-in callers send no body; existing accounts need no `name`. */
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
export type DeviceSignInView = z.infer<typeof deviceSignIn>;
export type CreatePersonalTokenBody = z.infer<typeof createPersonalTokenBody>;
export type TokenScope = (typeof TOKEN_SCOPES)[number];
export type ChangePasswordBody = z.infer<typeof changePasswordBody>;
export type SessionView = z.infer<typeof session>;
export type ConfirmPasswordBody = z.infer<typeof confirmPasswordBody>;
export type LoginBody = z.infer<typeof loginBody>;
export type ProviderSignInBody = z.infer<typeof providerSignInBody>;
export type BootstrapBody = z.infer<typeof bootstrapBody>;
export type CreateInviteBody = z.infer<typeof createInviteBody>;
export type UpdateMemberBody = z.infer<typeof updateMemberBody>;
export type AcceptInviteBody = z.infer<typeof acceptInviteBody>;

import type { Request } from 'express';
import type { Call } from '../../../call';

/** A call that comes with its request: of verbs that read or set cookies. */
export type SignInCall = Call<string | null> & { request: Request };

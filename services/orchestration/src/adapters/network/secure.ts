/**
 * Node's `https` and `tls` once something asks for them: 2 MB, which a runner does without whose server is reached by plain HTTP.
 */
export const https = () => require('node:https') as typeof import('node:https');
export const tls = () => require('node:tls') as typeof import('node:tls');

export { type DelivererOptions, deliverDue, openDeliverer } from './deliverer';
export { type Connector, createConnector, type SocketOptions } from './open-socket';
export type { ClaimOptions, Due, Outbox, Outcome } from './outbox';
export { sendRequest } from './send-request';

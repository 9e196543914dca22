/** Arguments of the command: the dialect and the port, both optional. */
export function readSimConfig([name = 'binance', port = '3290']: string[]): {
  name: string;
  port: number;
} {
  if (!/^\d{1,5}$/.test(port)) throw new Error(`${port} is not a port`);
  return { name, port: Number(port) };
}

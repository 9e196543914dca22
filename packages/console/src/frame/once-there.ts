import { isOffline } from '../data/api';

/**
 * Loads a screen's code and retries while the service is unreachable; the router's own reaction, a
 * reload of the page, would fail too. Throws if the service answers but the file is missing, so
 * that the router reloads the page: a newer console has been deployed.
 */
export async function onceThere<Module>(load: () => Promise<Module>): Promise<Module> {
  for (let refusals = 0; ; ) {
    try {
      return await load();
    } catch (error) {
      if (!isOffline(error)) throw error;
      if (await isAway()) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      else if (refusals++ > 0) throw error;
    }
  }
}

const isAway = () =>
  fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(
    ({ status }) => status >= 500,
    () => true,
  );

const RETRY_MS = 1_000;

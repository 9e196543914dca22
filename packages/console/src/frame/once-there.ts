import { isOffline } from '../data/api';

/**
 * Loads the code of a screen and retries while the service is away: the router would reload the page, which would fail too. If the service
 * answers and the file is missing, a newer console is available.
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

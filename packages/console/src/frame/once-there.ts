import { isOffline } from '../data/api';

/**
 * The code of a screen. While the service is away it is asked for again: the router would reload the page, which then
 * could not be had either. Where the service answers and the file is gone, a newer console is there to be loaded.
 */
export async function onceThere<Module>(load: () => Promise<Module>): Promise<Module> {
  for (let refusals = 0; ; ) {
    try {
      return await load();
    } catch (error) {
      if (!isOffline(error)) throw error;
      if (await isAway()) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      // It may have come back in between.
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

import { type ComponentType, useEffect, useState } from 'react';

/**
 * Loads part of a screen when it is first shown, and shows `Waiting` until then. Does not use a
 * Suspense boundary, because React would show its fallback for at least 300 ms. A failed load is an
 * error of the screen.
 */
export function deferred<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Waiting: ComponentType<Props>,
): ComponentType<Props> {
  let Loaded: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;
  const begin = async () => {
    try {
      Loaded = await load();
    } catch (error) {
      loading = undefined;
      throw error;
    }
  };
  return function Deferred(props: Props) {
    const [, setLoaded] = useState(Loaded !== undefined);
    useEffect(() => {
      if (Loaded) return setLoaded(true);
      const fail = (error: unknown) =>
        setLoaded(() => {
          throw error;
        });
      loading ??= begin();
      loading.then(() => setLoaded(true), fail);
    }, []);
    return Loaded ? <Loaded {...props} /> : <Waiting {...props} />;
  };
}

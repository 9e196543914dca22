import { type ComponentType, useEffect, useState } from 'react';

/**
 * A part of a screen whose code is loaded when it is first shown, with `Waiting` in its place until then. Unlike a
 * Suspense boundary, whose content React holds back for 300 ms once its fallback was seen, it is shown as soon as it is
 * there. What cannot be loaded is an error of the screen.
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

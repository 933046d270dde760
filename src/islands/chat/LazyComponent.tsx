import { useEffect, useState, type ComponentType } from 'react';

/**
 * A component of the chat that most pages never need: its script loads when it is first rendered. It renders nothing until
 * then, and if loading fails.
 */
export function createLazyComponent<P extends object>(
  load: () => Promise<ComponentType<P>>,
): ComponentType<P> {
  return function Lazy(props: P) {
    const [Loaded, setLoaded] = useState<ComponentType<P> | null>(null);
    useEffect(() => {
      load().then(
        (component) => setLoaded(() => component),
        () => {},
      );
    }, []);
    return Loaded ? <Loaded {...props} /> : null;
  };
}

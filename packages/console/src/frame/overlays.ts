import { createContext, useContext } from 'react';

/** What the frame lays over any screen. */
export type Overlay = 'palette' | 'new-issue' | 'keys';

export const OverlayContext = createContext<(overlay: Overlay) => void>(() => undefined);

export const useOpenOverlay = () => useContext(OverlayContext);

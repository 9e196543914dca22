import { createContext, useContext } from 'react';

export type Overlay = 'palette' | 'new-issue' | 'keys';

export const OverlayContext = createContext<(overlay: Overlay) => void>(() => undefined);

export const useOpenOverlay = () => useContext(OverlayContext);

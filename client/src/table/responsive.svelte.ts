// The size of the window: phone, tablet, drawer, desk, wide (felt.md, section 7).

export type Layout = "phone" | "tablet" | "drawer" | "desk" | "wide";

const layoutOf = (width: number): Layout =>
  width < 600 ? "phone" : width < 1000 ? "tablet" : width < 1360 ? "drawer" : width < 1800 ? "desk" : "wide";

class Window {
  layout = $state<Layout>("desk");

  constructor() {
    if (typeof addEventListener !== "function") return;
    const look = () => (this.layout = layoutOf(innerWidth));
    addEventListener("resize", look);
    look();
  }

  get isSmall(): boolean {
    return this.layout === "phone" || this.layout === "tablet";
  }
}

export const room = new Window();

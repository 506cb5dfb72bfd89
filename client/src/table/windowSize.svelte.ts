// The layout for the window's size: phone, tablet, drawer, desk, wide.

export type Layout = "phone" | "tablet" | "drawer" | "desk" | "wide";

const layoutOf = (width: number): Layout =>
  width < 600 ? "phone" : width < 1000 ? "tablet" : width < 1360 ? "drawer" : width < 1800 ? "desk" : "wide";

const SMALLEST_DESK = 700; // shorter side of a laptop's screen
const TALL_FROM = 800;

class WindowSize {
  layout = $state<Layout>("desk");
  isTall = $state(false); // a tablet with room for the coach and the log between felt and actions
  isTouch = $state(false);
  isZoomed = $state(false); // zoomed in on a large screen: buttons stay where the desk layout has them

  constructor() {
    if (typeof addEventListener !== "function") return;
    const look = () => {
      this.layout = layoutOf(innerWidth);
      this.isTall = this.layout === "tablet" && innerHeight >= TALL_FROM;
      this.isTouch = matchMedia("(pointer: coarse)").matches;
      this.isZoomed = this.isSmall && Math.min(screen.width, screen.height) >= SMALLEST_DESK;
    };
    addEventListener("resize", look);
    look();
  }

  get isSmall(): boolean {
    return this.layout === "phone" || this.layout === "tablet";
  }
}

export const windowSize = new WindowSize();

import { describe, expect, it } from "vitest";
import { cardOf, code } from "../src/lib/cards";
import { money, perDollar, sharesOf, percent, signed } from "../src/lib/format";
import { address, placeOf, router } from "../src/lib/router.svelte";

describe("figures", () => {
  it("show cents only if there are any", () => {
    expect(money(2500)).toBe("$25");
    expect(money(-120750)).toBe("−$1,207.50");
    expect(signed(4000)).toBe("+$40");
    expect(signed(0)).toBe("$0");
  });
  it("show shares of a wager, and never a signed zero", () => {
    expect(perDollar(-0.1617)).toBe("−16.2¢");
    expect(perDollar(-0.0001)).toBe("0.0¢");
    expect(perDollar(-1.251)).toBe("−$1.25");
    const [best, worst] = [{ ev: -0.5886, cost: 0 }, { ev: -1.25, cost: 0.6614 }];
    expect(sharesOf([best])(best.ev)).toBe("−58.9¢");
    expect(sharesOf([best, worst])(best.ev)).toBe("−$0.59");
    expect(sharesOf([best, worst])(worst.ev)).toBe("−$1.25");
    expect(percent(0.00776829, 3)).toBe("0.777%");
  });
});

describe("cards", () => {
  it("are formatted and parsed again", () => {
    for (let card = 0; card < 52; card += 1) expect(cardOf(code(card))).toBe(card);
    expect(cardOf("10h")).toBe(cardOf("Th"));
    expect(cardOf("1x")).toBeNull();
  });
});

describe("addresses", () => {
  it("carry rules", () => {
    const place = placeOf(address(["study", "edge"], { rules: "wsgc-2021(decks=8)" }));
    expect(place.path).toEqual(["study", "edge"]);
    expect(place.query.get("rules")).toBe("wsgc-2021(decks=8)");
  });
  it("ignore late responses to a page the user has left", () => {
    location.hash = "#/study/edge";
    router.replace(["study", "edge"], { rules: "wsgc-2021" });
    expect(location.hash).toBe("#/study/edge?rules=wsgc-2021");
    location.hash = "#/console";
    router.replace(["study", "edge"], { rules: "blackjack" });
    expect(location.hash).toBe("#/console");
  });
});

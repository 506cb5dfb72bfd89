import { inLanguage } from ".";
import { house as en } from "./en/house";

export const houseWords = inLanguage({ en });

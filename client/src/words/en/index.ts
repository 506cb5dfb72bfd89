import { coach } from "./coach";
import { common } from "./common";
import { house } from "./house";
import { lobby } from "./lobby";
import { school } from "./school";
import { study } from "./study";
import { table } from "./table";

export const en = { common, lobby, table, coach, study, school, house };

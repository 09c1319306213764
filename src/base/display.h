#pragma once

// Public, because the command line writes to terminals too.
#include "dpsql/display.h"

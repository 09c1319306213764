#pragma once

// Public, because the command line suggests names too.
#include "dpsql/suggest.h"
